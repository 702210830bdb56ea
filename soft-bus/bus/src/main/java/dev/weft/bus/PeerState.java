package dev.weft.bus;

import dev.weft.api.Bytes;
import dev.weft.core.bus.Peer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A peer that is up: when it was heard, and which of its requests were handled already. */
final class PeerState {
  /** Requests whose answers are remembered, to be repeated. */
  static final int REMEMBERED = 4_096;

  Peer peer;
  final Duration lease;
  Instant heard;
  Instant heardOnAddress;
  Instant said;
  int outstanding;
  private final Map<Long, Optional<Bytes>> handled = new LinkedHashMap<>();
  private long forgottenUpTo = -1;

  PeerState(Peer peer, Duration lease, Instant now) {
    this.peer = peer;
    this.lease = lease;
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

  /** What is to be done with a request. */
  enum Seen {
    /** It is new: handle it. */
    NEW,
    /** It is being handled: the answer will come. */
    UNDER_WAY,
    /** It was answered: repeat the answer. */
    ANSWERED,
    /** It is too old to tell: drop it. */
    TOO_OLD
  }

  Seen see(long id) {
    if (id <= forgottenUpTo) {
      return Seen.TOO_OLD;
    }
    Optional<Bytes> known = handled.get(id);
    if (known != null) {
      return known.isPresent() ? Seen.ANSWERED : Seen.UNDER_WAY;
    }
    handled.put(id, Optional.empty());
    if (handled.size() > REMEMBERED) {
      var oldest = handled.keySet().iterator();
      forgottenUpTo = Math.max(forgottenUpTo, oldest.next());
      oldest.remove();
    }
    return Seen.NEW;
  }

  Optional<Bytes> answerTo(long id) {
    return handled.getOrDefault(id, Optional.empty());
  }

  void answered(long id, Bytes body) {
    handled.computeIfPresent(id, (key, none) -> Optional.of(body));
  }
}
