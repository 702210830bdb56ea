package dev.weft.scheduler.flow;

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The settings of the buffer pool (D). Names of keys in messages are those of the configuration.
 *
 * @param initial m at the start
 * @param minimum smallest m
 * @param maximum largest m
 * @param threshold θ(m)/m, above 0 and at most 1: a traversal begins when fewer slots than this
 *     share are taken. Less than 1 makes fewer and larger requests, and leaves slots empty
 * @param window length of the injection window
 * @param baseline B(m)/m: how many traversals per slot and window are usual; 1 with a window of 10
 *     s means that tasks of 10 s leave m as it is
 * @param grow a: m grows when there are more than a·B(m) traversals in a window
 * @param shrink b: m shrinks when there are fewer than b·B(m)
 * @param stall after so long without any change the pool is reset (D3)
 * @param withdraw what a reset withdraws
 */
public record BufferRules(
    int initial,
    int minimum,
    int maximum,
    double threshold,
    Duration window,
    double baseline,
    double grow,
    double shrink,
    Duration stall,
    Withdraw withdraw) {
  /** What holds if nothing is configured. */
  public static final BufferRules DEFAULT =
      new BufferRules(
          256,
          16,
          100_000,
          1,
          Duration.ofSeconds(10),
          1,
          1.5,
          0.5,
          Duration.ofSeconds(60),
          Withdraw.SILENT);

  /** What a reset withdraws (D3). */
  public enum Withdraw {
    /** Assignments without any status for the status timeout. */
    SILENT,
    /** Every assignment in the pool. */
    ALL
  }

  /** Checks. */
  public BufferRules {
    Objects.requireNonNull(withdraw, "withdraw");
    require(minimum >= 1, "buffer.minimum", minimum, "at least 1");
    require(
        maximum >= minimum, "buffer.maximum", maximum, "at least buffer.minimum (" + minimum + ")");
    require(
        initial >= minimum && initial <= maximum,
        "buffer.slots",
        initial,
        "between buffer.minimum (%d) and buffer.maximum (%d)".formatted(minimum, maximum));
    require(threshold > 0 && threshold <= 1, "buffer.threshold", threshold, "above 0, at most 1");
    require(isPositive(window), "buffer.window.ms", window.toMillis(), "at least 1");
    require(baseline > 0 && baseline < 1e6, "buffer.baseline", baseline, "above 0");
    require(grow > 1 && grow <= 100, "buffer.grow", grow, "above 1, at most 100");
    require(shrink > 0 && shrink < 1, "buffer.shrink", shrink, "above 0, below 1");
    require(isPositive(stall), "stall.ms", stall.toMillis(), "at least 1");
  }

  private static boolean isPositive(Duration duration) {
    return duration.toMillis() >= 1;
  }

  private static void require(boolean holds, String key, Object value, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(key + " = " + value + ": must be " + expected);
    }
  }

  /** θ(m). */
  int threshold(int slots) {
    return Math.max(1, (int) Math.ceil(threshold * slots));
  }

  /** B(m). */
  double baseline(int slots) {
    return baseline * slots;
  }

  /** Every setting by its key. */
  public SortedMap<String, String> asMap() {
    SortedMap<String, String> map = new TreeMap<>();
    map.put("buffer.slots", Integer.toString(initial));
    map.put("buffer.minimum", Integer.toString(minimum));
    map.put("buffer.maximum", Integer.toString(maximum));
    map.put("buffer.threshold", Double.toString(threshold));
    map.put("buffer.window.ms", Long.toString(window.toMillis()));
    map.put("buffer.baseline", Double.toString(baseline));
    map.put("buffer.grow", Double.toString(grow));
    map.put("buffer.shrink", Double.toString(shrink));
    map.put("stall.ms", Long.toString(stall.toMillis()));
    map.put("stall.withdraw", withdraw.name().toLowerCase(Locale.ROOT));
    return map;
  }
}
