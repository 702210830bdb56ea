package dev.weft.scheduler.flow;

import dev.weft.core.job.BufferStatus;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SortedMap;

/**
 * How many slots the buffer pool has (D1 to D3). Short tasks lead to many traversals in a window:
 * the pool grows, so that nodes need not wait for the scheduler. Long tasks lead to few: it
 * shrinks, so that tasks are given away late and can still go where there is room. Plain state;
 * time is an argument.
 */
public final class AdaptiveSize {
  private BufferRules rules;
  private final Deque<BufferStatus.Change> changes = new ArrayDeque<>();
  private int slots;
  private long traversals;
  private Instant windowEnds;
  private int occupied;

  // Of this window.
  private boolean ranEmpty;
  private boolean alwaysFull = true;
  private boolean failed;

  private Seen seen;
  private Instant unchangedSince;

  /** A traversal: it counts once, when it has led to a dispatch. */
  public static final class Traversal {
    private boolean counted;

    private Traversal() {}
  }

  /** What must change, or the pool is stalled (D3). */
  private record Seen(long traversals, int slots, int occupied) {}

  /** A pool that begins now. */
  public AdaptiveSize(BufferRules rules, Instant now) {
    this.rules = Objects.requireNonNull(rules, "rules");
    this.slots = rules.initial();
    this.windowEnds = now.plus(rules.window());
    this.seen = new Seen(0, slots, 0);
    this.unchangedSince = now;
  }

  /** Other settings, from now on; the size changes if it is set anew, or out of bounds. */
  public void configure(BufferRules newRules, Instant now) {
    if (newRules.equals(rules)) {
      return;
    }
    int wanted = newRules.initial() == rules.initial() ? slots : newRules.initial();
    rules = newRules;
    resize(wanted, "configured", now);
  }

  /** m: how many slots there are. */
  public int slots() {
    return slots;
  }

  /**
   * How many slots a traversal may fill: none unless fewer than θ(m) are taken (D1). Slots above a
   * smaller m vanish as they empty.
   *
   * @param taken p: slots that are taken
   */
  public int room(int taken) {
    return taken < rules.threshold(slots) ? Math.max(0, slots - taken) : 0;
  }

  /** A traversal begins. */
  public Traversal traverse() {
    return new Traversal();
  }

  /** A task that a traversal has put into the pool was dispatched. */
  public void dispatched(Traversal traversal) {
    if (!traversal.counted) {
      traversal.counted = true;
      traversals++;
    }
  }

  /** No node was found for a task (D4). */
  public void placementFailed() {
    failed = true;
  }

  /**
   * What is so after an event: to be called after each, when the traversal that it led to is done.
   *
   * @param taken p: slots that are taken
   * @param waiting tasks that wait outside of the pool
   */
  public void observe(int taken, long waiting, Instant now) {
    occupied = taken;
    ranEmpty |= waiting == 0;
    alwaysFull &= taken >= slots;
    if (!windowEnds.isAfter(now)) {
      endWindow(now);
    }
    Seen current = new Seen(traversals, slots, taken);
    if (!current.equals(seen)) {
      seen = current;
      unchangedSince = now;
    }
  }

  /** Whether nothing has changed for the stall time although slots are taken (D3). */
  public boolean isStalled(Instant now) {
    return occupied > 0 && !now.isBefore(unchangedSince.plus(rules.stall()));
  }

  /**
   * The pool was reset (D3); the stall time begins anew.
   *
   * @param withdrawn how many assignments were withdrawn; without any, it is not worth a line
   */
  public void reset(int withdrawn, Instant now) {
    unchangedSince = now;
    if (withdrawn > 0) {
      record(
          now,
          slots,
          "nothing has changed for %d ms: reset, %d withdrawn"
              .formatted(rules.stall().toMillis(), withdrawn));
    }
  }

  /** D2, once per window. */
  private void endWindow(Instant now) {
    double baseline = rules.baseline(slots);
    double upper = rules.grow() * baseline;
    double lower = rules.shrink() * baseline;
    if (!ranEmpty) {
      if (traversals > upper) {
        stretch(slots * upper / baseline, compared(" > U = ", upper) + ": short tasks", now);
      } else if (alwaysFull && !failed) {
        stretch(
            slots * upper / baseline,
            "every slot was taken all the time, tasks wait and every one found a node",
            now);
      } else if (traversals < lower) {
        stretch(slots * lower / baseline, compared(" < L = ", lower) + ": long tasks", now);
      }
    }
    traversals = 0;
    ranEmpty = false;
    alwaysFull = true;
    failed = false;
    windowEnds = now.plus(rules.window());
  }

  private String compared(String how, double bound) {
    return String.format(Locale.ROOT, "N = %d%s%.1f", traversals, how, bound);
  }

  /** Rounded away from the old value, by at least 1. */
  private void stretch(double wanted, String why, Instant now) {
    long rounded =
        wanted > slots
            ? Math.max(slots + 1L, (long) Math.ceil(wanted))
            : Math.min(slots - 1L, (long) Math.floor(wanted));
    resize(rounded, why, now);
  }

  private void resize(long wanted, String why, Instant now) {
    int next = (int) Math.max(rules.minimum(), Math.min(rules.maximum(), wanted));
    if (next != slots) {
      int before = slots;
      slots = next;
      record(now, before, why);
    }
  }

  private void record(Instant now, int before, String why) {
    changes.add(new BufferStatus.Change(now, before, slots, why));
    if (changes.size() > BufferStatus.MAXIMUM_CHANGES) {
      changes.poll();
    }
  }

  /**
   * All of it, to be shown.
   *
   * @param waiting tasks that wait outside of the pool
   * @param shares slots by submitter
   */
  public BufferStatus status(long waiting, SortedMap<String, Integer> shares) {
    double baseline = rules.baseline(slots);
    return new BufferStatus(
        slots,
        occupied,
        rules.threshold(slots),
        traversals,
        baseline,
        rules.grow() * baseline,
        rules.shrink() * baseline,
        rules.window(),
        windowEnds,
        waiting,
        shares,
        List.copyOf(changes),
        rules.asMap());
  }
}
