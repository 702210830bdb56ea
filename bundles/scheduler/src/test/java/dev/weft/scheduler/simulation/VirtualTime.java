package dev.weft.scheduler.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** A clock that jumps from one action to the next. */
public final class VirtualTime {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final PriorityQueue<Action> actions =
      new PriorityQueue<>(Comparator.comparingLong(Action::at).thenComparingLong(Action::order));
  private long millis;
  private long order;

  private record Action(long at, long order, Runnable what) {}

  /** The time now. */
  public Instant now() {
    return START.plusMillis(millis);
  }

  /** Milliseconds since the start. */
  public long millis() {
    return millis;
  }

  /** Does something later; actions of the same moment keep their order. */
  public void after(long delayMillis, Runnable action) {
    actions.add(new Action(millis + delayMillis, order++, action));
  }

  /** Does something now and then again and again. */
  public void every(Duration period, Runnable action) {
    action.run();
    after(period.toMillis(), () -> every(period, action));
  }

  /** Goes on to the next action. */
  public void step() {
    Action next = actions.remove();
    millis = next.at();
    next.what().run();
  }
}
