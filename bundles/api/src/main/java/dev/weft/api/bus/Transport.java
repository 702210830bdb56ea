package dev.weft.api.bus;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Carries frames between nodes. Registered as a service with the property {@link #SCHEME}. A frame
 * may arrive twice, late or out of order, or be lost; the bus above deals with that.
 */
@ConsumerType
public interface Transport {
  /** Service property: name of the transport, such as {@code coap}. */
  String SCHEME = "weft.transport.scheme";

  /**
   * Opens the endpoint of this node.
   *
   * @param addresses local addresses to listen on, at least one; never a wildcard
   * @param port port on all of them; 0 for any that is free on all of them
   * @param receiver called for each frame, from threads of the transport's own; never blocks
   * @throws IOException if an address or the port cannot be used; the message says which and why
   */
  Endpoint open(List<InetAddress> addresses, int port, Receiver receiver) throws IOException;

  /** The node's own end. */
  interface Endpoint extends AutoCloseable {
    /** Where peers reach it: one for each address asked for, all with the same port. */
    List<InetSocketAddress> addresses();

    /** Largest frame, in bytes. */
    int maximumFrame();

    /**
     * Sends a frame. Never blocks and never throws.
     *
     * @param to the peer's address
     * @param frame at most {@link #maximumFrame()} bytes; not changed afterwards by the caller
     * @param done called once, from a thread of the transport's own
     */
    void send(InetSocketAddress to, byte[] frame, Consumer<Sent> done);

    /** Stops receiving and frees everything; calling it again does nothing. */
    @Override
    void close();
  }

  /** Receives frames. */
  @FunctionalInterface
  interface Receiver {
    /**
     * A frame has arrived.
     *
     * @param from where from, to be used for answers
     * @param frame its bytes, owned by the receiver
     */
    void received(InetSocketAddress from, byte[] frame);
  }

  /** What became of a frame. */
  sealed interface Sent {
    /** The other end has it. */
    record Delivered() implements Sent {}

    /**
     * It is not known to have arrived.
     *
     * @param reason in plain words
     */
    record Failed(String reason) implements Sent {}
  }
}
