package dev.weft.testkit.network;

import java.time.Duration;
import java.util.Objects;

/**
 * How badly a network behaves. Frames overtake each other whenever the delays differ.
 *
 * @param loss part of the frames that are lost, 0 to 1
 * @param duplication part of the frames that arrive twice, 0 to 1
 * @param shortest shortest delay of a frame
 * @param longest longest delay of a frame
 */
public record Faults(double loss, double duplication, Duration shortest, Duration longest) {
  /** A network without faults: every frame takes one millisecond. */
  public static final Faults NONE = new Faults(0, 0, Duration.ofMillis(1), Duration.ofMillis(1));

  /** A bad network: a fifth lost, a tenth doubled, delays from 1 to 200 ms. */
  public static final Faults HEAVY =
      new Faults(0.2, 0.1, Duration.ofMillis(1), Duration.ofMillis(200));

  /** Checks. */
  public Faults {
    Objects.requireNonNull(shortest, "shortest");
    Objects.requireNonNull(longest, "longest");
    if (!(loss >= 0 && loss <= 1) || !(duplication >= 0 && duplication <= 1)) {
      throw new IllegalArgumentException("loss and duplication must be 0 to 1");
    }
    if (shortest.isNegative() || longest.compareTo(shortest) < 0) {
      throw new IllegalArgumentException("delays must not be negative and go up");
    }
  }
}
