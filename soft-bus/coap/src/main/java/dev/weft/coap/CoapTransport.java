package dev.weft.coap;

import dev.weft.api.bus.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/**
 * Carries frames over CoAP (RFC 7252).
 *
 * <p>On the wire a frame is the payload of one confirmable POST to {@code /weft} in one UDP
 * datagram; the answer 2.04 (Changed) without payload says that the other end has it. Without an
 * answer the datagram is repeated twice, after about 0.5 s and 1.3 s, and given up after about 2.6
 * s. There is no block-wise transfer: a frame larger than the link's MTU (never on loopback) is
 * split by IP itself. Duplicates are not suppressed here but by the bus.
 *
 * <p>Every local address has a socket of its own, used for both directions, with one thread for
 * receiving and one for sending; one more thread handles messages and timers of them all.
 */
@Component(property = Transport.SCHEME + "=coap")
public final class CoapTransport implements Transport {
  /** Created by the framework. */
  public CoapTransport() {}

  @Override
  public Endpoint open(List<InetAddress> addresses, int port, Receiver receiver)
      throws IOException {
    return FrameEndpoint.open(addresses, port, receiver);
  }
}
