package dev.weft.coap;

import dev.weft.api.bus.Announcement;
import dev.weft.api.bus.Discovery;
import dev.weft.api.bus.Discovery.Trace;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The sockets of CoAP discovery for one local address: one of its own for questions and answers,
 * one on the group address for what others ask. They are opened again when the interface comes
 * back. Used by one thread only.
 */
final class Link {
  // RFC 7252, section 12.8: All CoAP Nodes.
  private static final byte[] GROUP_4 = {(byte) 224, 0, 1, (byte) 187};
  private static final byte[] GROUP_6 = {
    (byte) 0xff, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xfd
  };
  private static final int BATCH = 64;

  private final InetAddress address;
  private final int port;
  private final Announcement own;
  private final Discovery.Listener listener;
  private final RandomGenerator random;
  private final ByteBuffer buffer = ByteBuffer.allocate(DiscoveryMessage.MAXIMUM_SIZE + 1);
  private String interfaceName;
  private String lastFailure = "";
  private Optional<Open> open = Optional.empty();

  Link(
      InetAddress address,
      int port,
      Announcement own,
      Discovery.Listener listener,
      RandomGenerator random) {
    this.address = address;
    this.interfaceName = address.getHostAddress();
    this.port = port;
    this.own = own;
    this.listener = listener;
    this.random = random;
  }

  /** Opens what can be opened, closes what does not work any more. */
  void check(Selector selector, long now) {
    try {
      LocalAddress local = LocalAddress.of(address);
      interfaceName = local.interfaceName();
      NetworkInterface networkInterface = NetworkInterface.getByIndex(local.interfaceIndex());
      if (networkInterface == null || !networkInterface.isUp()) {
        fail("the interface is down");
      } else if (open.isEmpty()) {
        open = Optional.of(open(local, networkInterface, selector, now));
        lastFailure = "";
      } else if (open.get().local().interfaceIndex() != local.interfaceIndex()) {
        fail("the interface was replaced");
      }
    } catch (IOException e) {
      fail(e.getMessage());
    }
  }

  private Open open(
      LocalAddress local, NetworkInterface networkInterface, Selector selector, long now)
      throws IOException {
    boolean six = local.address() instanceof Inet6Address;
    InetAddress group =
        six
            ? Inet6Address.getByAddress(null, GROUP_6, networkInterface)
            : InetAddress.getByAddress(GROUP_4);
    ProtocolFamily family = six ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
    DatagramChannel unicast = DatagramChannel.open(family);
    DatagramChannel multicast = null;
    try {
      unicast.bind(new InetSocketAddress(local.address(), 0));
      unicast.setOption(StandardSocketOptions.IP_MULTICAST_IF, networkInterface);
      multicast = DatagramChannel.open(family);
      multicast.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      multicast.bind(new InetSocketAddress(group, port));
      multicast.join(group, networkInterface);
      unicast.configureBlocking(false).register(selector, SelectionKey.OP_READ, this);
      multicast.configureBlocking(false).register(selector, SelectionKey.OP_READ, this);
      return new Open(
          local,
          unicast,
          multicast,
          new InetSocketAddress(group, port),
          new LinkCore(own, local, random, now));
    } catch (IOException e) {
      unicast.close();
      if (multicast != null) {
        multicast.close();
      }
      throw new IOException("port " + port + "/udp: " + e.getMessage(), e);
    }
  }

  /** When {@link #tick} has something to do, or the given time if that is earlier. */
  long nextDue(long latest) {
    return open.map(it -> Math.min(latest, it.core().nextDue())).orElse(latest);
  }

  /** Sends what is due. */
  void tick(long now) {
    open.ifPresent(it -> apply(it.core().tick(now)));
  }

  /** Reads what came in on one of the channels, a bounded number of datagrams. */
  void read(DatagramChannel channel, long now) {
    try {
      for (int i = 0; i < BATCH && open.isPresent(); i++) {
        buffer.clear();
        InetSocketAddress from = (InetSocketAddress) channel.receive(buffer);
        if (from == null) {
          return;
        }
        byte[] datagram = Arrays.copyOf(buffer.array(), buffer.position());
        apply(open.get().core().received(from, datagram, now));
      }
    } catch (IOException e) {
      fail("receiving failed: " + e.getMessage());
    }
  }

  private void apply(List<LinkCore.Effect> effects) {
    for (LinkCore.Effect effect : effects) {
      if (effect instanceof LinkCore.Effect.Send send) {
        send(send);
      } else if (effect instanceof LinkCore.Effect.Found found) {
        listener.found(found.sighting());
      } else if (effect instanceof LinkCore.Effect.Lost lost) {
        listener.lost(lost.sighting());
      } else if (effect instanceof LinkCore.Effect.Traced traced) {
        listener.traced(traced.trace());
      }
    }
  }

  private void send(LinkCore.Effect.Send send) {
    if (open.isEmpty()) {
      return;
    }
    InetSocketAddress to = send.to().orElse(open.get().group());
    try {
      open.get().unicast().send(ByteBuffer.wrap(send.datagram().toArray()), to);
      listener.traced(new Trace(interfaceName, Trace.Kind.SENT, send.what()));
    } catch (IOException e) {
      if (send.to().isPresent()) {
        // One asker that cannot be reached says nothing about the interface.
        listener.traced(
            new Trace(
                interfaceName,
                Trace.Kind.FAILED,
                send.what() + " could not be sent: " + e.getMessage()));
      } else {
        fail(send.what() + " could not be sent: " + e.getMessage());
      }
    }
  }

  private void fail(String reason) {
    closeChannels();
    if (!lastFailure.equals(reason)) {
      lastFailure = reason;
      listener.traced(new Trace(interfaceName, Trace.Kind.FAILED, reason));
    }
  }

  /** Says goodbye and closes. */
  void close() {
    open.ifPresent(it -> apply(List.of(it.core().goodbye())));
    closeChannels();
  }

  private void closeChannels() {
    Optional<Open> closing = open;
    open = Optional.empty();
    if (closing.isPresent()) {
      close(closing.get().multicast());
      close(closing.get().unicast());
    }
  }

  private void close(DatagramChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      listener.traced(
          new Trace(interfaceName, Trace.Kind.FAILED, "closing failed: " + e.getMessage()));
    }
  }

  private record Open(
      LocalAddress local,
      DatagramChannel unicast,
      DatagramChannel multicast,
      InetSocketAddress group,
      LinkCore core) {}
}
