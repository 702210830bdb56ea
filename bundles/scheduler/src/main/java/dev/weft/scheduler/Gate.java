package dev.weft.scheduler;

import dev.weft.core.resources.Placement.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How many tasks of one demand may be asked for at a time (A4, D4). Open until a refusal. After
 * that nothing is asked for until there is news (something was released, a node came) or the retry
 * wait T1 is over; then one task, and one more for each that finds a node, as in the slow start of
 * TCP (RFC 5681). So a million waiting tasks cost two or three requests for each that finds a node,
 * and one per T1 while none does.
 */
final class Gate {
  private static final int OPEN = Integer.MAX_VALUE;

  private int most = OPEN;
  private int asked;
  private Optional<Instant> closedUntil = Optional.empty();
  private Optional<Decision> refusal = Optional.empty();

  /** How many more may be asked for now. */
  int allowance(Instant now) {
    boolean closed = closedUntil.filter(until -> until.isAfter(now)).isPresent();
    return closed ? 0 : Math.max(0, most - asked);
  }

  /** One more is asked for. */
  void ask() {
    asked++;
  }

  /** One that was asked for is not needed any more. */
  void drop() {
    asked--;
  }

  /** One found a node. */
  void placed() {
    asked--;
    if (most < OPEN) {
      most++;
    }
    if (closedUntil.isEmpty()) {
      refusal = Optional.empty();
    }
  }

  /**
   * One found none.
   *
   * @param newsSince whether there was news after it was asked for, so that the answer may be old
   */
  void refused(Decision decision, boolean newsSince, Duration retryWait, Instant now) {
    asked--;
    most = 1;
    refusal = Optional.of(decision);
    closedUntil = newsSince ? Optional.empty() : Optional.of(now.plus(retryWait));
  }

  /** There may be room again. */
  void news() {
    closedUntil = Optional.empty();
  }

  /** There is so much room that asking for one at a time would take too long. */
  void open() {
    closedUntil = Optional.empty();
    most = OPEN;
  }

  /** The last refusal, if nothing was placed since. */
  Optional<Decision> refusal() {
    return refusal;
  }
}
