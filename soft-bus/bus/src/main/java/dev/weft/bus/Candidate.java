package dev.weft.bus;

import dev.weft.api.NodeId;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** An address behind which a peer may be, and when to greet it next. */
final class Candidate {
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(200);

  final InetSocketAddress address;
  final String where;
  String shortId = "";
  String via;
  boolean configured;
  Instant seen;
  Instant useful;
  String state = "not greeted yet";
  Optional<NodeId> node = Optional.empty();
  private boolean ruledOut;
  private Instant lastDial = Instant.MIN;
  private Instant nextDial;
  private Duration pause = FIRST_PAUSE;

  Candidate(InetSocketAddress address, String via, Instant now) {
    this.address = address;
    this.where = HostPort.text(address);
    this.via = via;
    this.seen = now;
    this.useful = now;
    this.nextDial = now;
  }

  /** What a discovery heard there; if that changed, all that was believed before is void. */
  void announced(String newShortId, Instant now) {
    seen = now;
    useful = now;
    if (!shortId.equals(newShortId)) {
      boolean first = shortId.isEmpty();
      shortId = newShortId;
      if (!first) {
        node = Optional.empty();
        ruledOut = false;
        pause = FIRST_PAUSE;
        nextDial = now.minus(SHORTEST_PAUSE).isBefore(lastDial) ? now.plus(SHORTEST_PAUSE) : now;
      }
    }
  }

  /** It is not to be greeted, and why. */
  void ruleOut(String why) {
    ruledOut = true;
    state = why;
  }

  boolean isRuledOut() {
    return ruledOut;
  }

  boolean isDue(Instant now) {
    return !now.isBefore(nextDial);
  }

  /** It is being greeted now; the next time comes later and later. */
  void dialled(Instant now) {
    lastDial = now;
    nextDial = now.plus(pause);
    pause = pause.multipliedBy(2);
    if (pause.compareTo(LONGEST_PAUSE) > 0) {
      pause = LONGEST_PAUSE;
    }
  }

  /** Somebody answered there. */
  void answered(NodeId who) {
    node = Optional.of(who);
    pause = FIRST_PAUSE;
  }

  /** Greet it at the next opportunity, but not more often than the first pause. */
  void hurry(Instant now) {
    Instant soon = now.plus(FIRST_PAUSE);
    if (nextDial.isAfter(soon)) {
      nextDial = soon;
    }
    pause = FIRST_PAUSE;
  }
}
