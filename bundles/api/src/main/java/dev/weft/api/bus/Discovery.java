package dev.weft.api.bus;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Finds nodes and lets this node be found. Registered as a service; all that are present are used
 * at once. What it finds is only a hint: the bus talks to the node before it believes anything.
 */
@ConsumerType
public interface Discovery {
  /** Short name for messages, such as {@code mdns}. */
  String name();

  /**
   * Starts to announce and to look. Must return within 5 s.
   *
   * @param own what to say of this node
   * @param addresses local addresses of this node: discovery works on their interfaces and address
   *     families, and on no others
   * @param listener called from threads of the discovery's own, never blocks
   * @throws IOException if it cannot work on any interface
   */
  Search start(Announcement own, List<InetAddress> addresses, Listener listener) throws IOException;

  /** A search under way. */
  interface Search extends AutoCloseable {
    /** Says goodbye where the protocol can, and stops; returns within 3 s. */
    @Override
    void close();
  }

  /** Receives what is found. */
  interface Listener {
    /** A node was seen, for the first time or again. */
    void found(Sighting sighting);

    /** A node took back its announcement. */
    void lost(Sighting sighting);

    /** Something was sent, received, dropped or went wrong. */
    void traced(Trace trace);
  }

  /**
   * A node that was seen.
   *
   * @param announcement what it says of itself
   * @param address where its transport can be reached
   * @param networkInterface the interface it was seen on
   */
  record Sighting(Announcement announcement, InetSocketAddress address, String networkInterface) {
    /** Checks. */
    public Sighting {
      Objects.requireNonNull(announcement, "announcement");
      Objects.requireNonNull(address, "address");
      Objects.requireNonNull(networkInterface, "networkInterface");
    }
  }

  /**
   * One line of what a discovery did, so that nothing is silent.
   *
   * @param networkInterface where
   * @param kind what
   * @param detail of what, from whom, or why
   */
  record Trace(String networkInterface, Kind kind, String detail) {
    /** What happened. */
    public enum Kind {
      /** A question or announcement went out. */
      SENT,
      /** An answer or announcement came in. */
      RECEIVED,
      /** Something came in and was not used. */
      DROPPED,
      /** Something did not work. */
      FAILED
    }

    /** Checks. */
    public Trace {
      Objects.requireNonNull(networkInterface, "networkInterface");
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(detail, "detail");
    }
  }
}
