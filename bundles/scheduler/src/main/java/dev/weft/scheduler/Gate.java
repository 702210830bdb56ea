package dev.weft.scheduler;

import dev.weft.core.resources.Placement.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How many tasks of one demand may be asked for at a time (A4). Open until a refusal. After that
 * nothing is asked for until there is news (something was released, a node came) or the retry wait
 * T1 is over; then one task, and one more for each that finds a node, as in the slow start of TCP
 * (RFC 5681). So a million waiting tasks cost two or three requests for each that finds a node, and
 * one per T1 while none does.
 */
final class Gate {
  private static final int OPEN = Integer.MAX_VALUE;

  private final News news;
  private int most = OPEN;
  private int asked;
  private long nodesSeen;
  private long newsWhenClosed;
  private Optional<Instant> closedUntil = Optional.empty();
  private Optional<Decision> refusal = Optional.empty();

  Gate(News news) {
    this.news = news;
    this.nodesSeen = news.nodes();
  }

  /** How many more may be asked for now. */
  int allowance(Instant now) {
    hear();
    boolean closed = closedUntil.filter(until -> until.isAfter(now)).isPresent();
    return closed ? 0 : Math.max(0, most - asked);
  }

  private void hear() {
    if (news.nodes() > nodesSeen) {
      nodesSeen = news.nodes();
      most = OPEN; // so much room that asking for one at a time would take too long
    }
    if (news.count() > newsWhenClosed) {
      closedUntil = Optional.empty();
    }
  }

  /** More are asked for. */
  void ask(int count) {
    asked += count;
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
    hear();
    if (closedUntil.isEmpty()) {
      refusal = Optional.empty();
    }
  }

  /**
   * One found none.
   *
   * @param newsWhenAsked how many news there were when it was asked for: later ones may have made
   *     the answer old
   */
  void refused(Decision decision, long newsWhenAsked, Duration retryWait, Instant now) {
    asked--;
    nodesSeen = news.nodes();
    most = 1;
    refusal = Optional.of(decision);
    newsWhenClosed = newsWhenAsked;
    closedUntil = Optional.of(now.plus(retryWait));
  }

  /** The last refusal, if nothing was placed since. */
  Optional<Decision> refusal() {
    return refusal;
  }
}
