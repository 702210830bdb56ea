package dev.weft.bus;

import dev.weft.core.bus.Peer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;

/** A peer that is up: when it was heard, and which of its requests were handled already. */
final class PeerState {
  Peer peer;
  final Duration beat;
  final HandledRequests handled;
  Instant heard;
  Instant heardOnAddress;
  Instant said;
  int outstanding;

  /**
   * A peer that was just heard.
   *
   * @param beat longest silence of this node towards it
   */
  PeerState(Peer peer, Duration beat, HandledRequests handled, Instant now) {
    this.peer = peer;
    this.beat = beat;
    this.handled = handled;
    this.heard = now;
    this.heardOnAddress = now;
    this.said = now;
  }

  void heard(InetSocketAddress from, Instant now) {
    heard = now;
    if (from.equals(peer.address())) {
      heardOnAddress = now;
    }
  }
}
