package dev.weft.mdns;

import java.io.Closeable;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Remembers which link-local addresses send mDNS on an interface. On Linux with Java 17 a socket
 * for the IPv6 group also hears what other sockets of this machine joined for, so jmDNS on one
 * interface reports nodes of another, and a link-local address without the right interface cannot
 * be reached. A socket that is bound to the group and the interface hears only this one. It has no
 * thread: what has come is read when somebody asks. Thread-safe.
 */
final class LinkLocalEar implements Closeable {
  private static final int PORT = 5_353;
  private static final int MAXIMUM_HEARD = 1_024;
  private static final int MAXIMUM_AT_ONCE = 1_024;
  // RFC 6762, section 3: ff02::fb.
  private static final byte[] GROUP = {
    (byte) 0xff, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xfb
  };

  private final DatagramChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(1);
  private final Set<InetAddress> heard = new LinkedHashSet<>();

  private LinkLocalEar(DatagramChannel channel) {
    this.channel = channel;
  }

  static LinkLocalEar open(NetworkInterface networkInterface) throws IOException {
    DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET6);
    try {
      InetAddress group = Inet6Address.getByAddress(null, GROUP, networkInterface);
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      channel.bind(new InetSocketAddress(group, PORT));
      channel.join(group, networkInterface);
      channel.configureBlocking(false);
      return new LinkLocalEar(channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** Whether the address has sent something on this interface. */
  synchronized boolean hasHeard(InetAddress address) throws IOException {
    listen();
    return heard.contains(address);
  }

  /** Reads what has come, at most 1,024 datagrams. */
  synchronized void listen() throws IOException {
    for (int i = 0; i < MAXIMUM_AT_ONCE; i++) {
      buffer.clear();
      InetSocketAddress from = (InetSocketAddress) channel.receive(buffer);
      if (from == null) {
        return;
      }
      // The latest are kept.
      heard.remove(from.getAddress());
      heard.add(from.getAddress());
      if (heard.size() > MAXIMUM_HEARD) {
        heard.remove(heard.iterator().next());
      }
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
