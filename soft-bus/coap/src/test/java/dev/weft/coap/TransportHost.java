package dev.weft.coap;

import dev.weft.api.bus.Transport;
import dev.weft.testkit.DiscoveryHost;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.List;

/**
 * The transport as a program on all addresses of an interface: {@code TransportHost INTERFACE
 * [ADDRESS PORT]}. With an address it sends its largest frame there. Frames that come are sent
 * back.
 */
final class TransportHost {
  private TransportHost() {}

  public static void main(String[] arguments) throws IOException {
    List<InetAddress> addresses = DiscoveryHost.addresses(List.of(arguments[0]));
    Transport.Endpoint[] own = new Transport.Endpoint[1];
    boolean sends = arguments.length > 1;
    own[0] =
        new CoapTransport()
            .open(
                addresses,
                0,
                (from, frame) -> {
                  System.out.println("RECEIVED " + frame.length + " bytes from " + from);
                  if (!sends) {
                    own[0].send(from, frame, sent -> System.out.println("ANSWERED " + sent));
                  }
                });
    for (InetSocketAddress address : own[0].addresses()) {
      System.out.println(
          "LISTENING " + address.getAddress().getHostAddress() + " " + address.getPort());
    }
    if (sends) {
      InetSocketAddress to =
          new InetSocketAddress(onLink(arguments[0], arguments[1]), Integer.parseInt(arguments[2]));
      own[0].send(to, new byte[own[0].maximumFrame()], sent -> System.out.println("SENT " + sent));
    }
    while (System.in.read() >= 0) {
      // Only the end of the input matters.
    }
    own[0].close();
  }

  private static InetAddress onLink(String networkInterface, String text) throws IOException {
    InetAddress address = InetAddress.getAllByName(text.replaceAll("%.*", ""))[0];
    return address.isLinkLocalAddress()
        ? Inet6Address.getByAddress(
            null, address.getAddress(), NetworkInterface.getByName(networkInterface))
        : address;
  }
}
