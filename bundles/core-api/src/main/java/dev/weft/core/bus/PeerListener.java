package dev.weft.core.bus;

import dev.weft.api.Fault;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Hears of peers that come and go. Registered as a service; a new one is told of every peer that is
 * up. Called on the bus's thread, one call at a time: must not block. A node that has both roles is
 * a peer of itself.
 */
@ConsumerType
public interface PeerListener {
  /** A peer can be talked to, or came back with a higher boot number or another address. */
  void peerUp(Peer peer);

  /**
   * A peer said goodbye, or its heartbeat lease ended. Requests to it fail at once.
   *
   * @param reason why
   */
  void peerDown(Peer peer, Fault reason);
}
