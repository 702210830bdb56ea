package dev.weft.core.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The buffer pool at one moment (D): how many tasks may be in flight, and why.
 *
 * @param slots m: size of the pool
 * @param occupied p: slots that are taken
 * @param threshold θ(m): below it a traversal fills the empty slots (D1)
 * @param traversals N: traversals that led to a dispatch in this window (D2)
 * @param baseline B(m)
 * @param upper U = a·B: with more traversals the pool grows
 * @param lower L = b·B: with fewer it shrinks
 * @param window length of the injection window
 * @param windowEnds when it ends
 * @param queued tasks that wait outside of the pool
 * @param shares per submitter, in order of name, how many slots he has; at most {@link
 *     #MAXIMUM_SHARES}, those with the most
 * @param changes the last changes of the size, oldest first; at most {@link #MAXIMUM_CHANGES}
 * @param parameters every setting of the pool, by key of its configuration
 */
public record BufferStatus(
    int slots,
    int occupied,
    int threshold,
    long traversals,
    double baseline,
    double upper,
    double lower,
    Duration window,
    Instant windowEnds,
    long queued,
    SortedMap<String, Integer> shares,
    List<Change> changes,
    SortedMap<String, String> parameters) {
  /** Most submitters that are named. */
  public static final int MAXIMUM_SHARES = 64;

  /** Most changes that are kept. */
  public static final int MAXIMUM_CHANGES = 32;

  /** Copies and checks. */
  public BufferStatus {
    Objects.requireNonNull(window, "window");
    Objects.requireNonNull(windowEnds, "windowEnds");
    shares = Collections.unmodifiableSortedMap(new TreeMap<>(shares));
    changes = List.copyOf(changes);
    parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
  }

  /**
   * A change of the size, or a reset (D3), which leaves it.
   *
   * @param at when
   * @param from size before
   * @param to size after
   * @param reason why, with the numbers
   */
  public record Change(Instant at, int from, int to, String reason) {
    /** Checks. */
    public Change {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(reason, "reason");
    }
  }
}
