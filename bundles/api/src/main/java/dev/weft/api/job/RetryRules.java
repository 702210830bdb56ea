package dev.weft.api.job;

import java.time.Duration;
import java.util.Objects;

/**
 * How often and when a task that failed is tried again. A try on the same node mends what passes by
 * itself; a try on another node mends what is wrong with the node. Each kind has its own count. A
 * task first uses up the tries on the same node, then those elsewhere. A node that was lost counts
 * as neither.
 *
 * @param sameNode tries on the node where it failed, 0 to 100
 * @param otherNode tries elsewhere, 0 to 100
 * @param backOff wait before the first such try; doubled with each further one
 * @param maximumBackOff longest wait
 */
public record RetryRules(int sameNode, int otherNode, Duration backOff, Duration maximumBackOff) {
  /** Most tries of each kind. */
  public static final int MAXIMUM = 100;

  /** What holds for a job that says nothing: two tries elsewhere, after 1 s and 2 s. */
  public static final RetryRules DEFAULT =
      new RetryRules(0, 2, Duration.ofSeconds(1), Duration.ofMinutes(1));

  /** Checks. */
  public RetryRules {
    Objects.requireNonNull(backOff, "backOff");
    Objects.requireNonNull(maximumBackOff, "maximumBackOff");
    if (sameNode < 0 || sameNode > MAXIMUM || otherNode < 0 || otherNode > MAXIMUM) {
      throw new IllegalArgumentException("tries of each kind must be 0 to " + MAXIMUM);
    }
    if (backOff.isNegative() || maximumBackOff.compareTo(backOff) < 0) {
      throw new IllegalArgumentException(
          "back-off must not be negative, nor longer than its maximum");
    }
  }

  /** The wait before a try: {@code backOff} doubled {@code earlier} times, at most the maximum. */
  public Duration wait(int earlier) {
    Duration wait = backOff;
    for (int i = 0; i < earlier && wait.compareTo(maximumBackOff) < 0; i++) {
      wait = wait.multipliedBy(2);
    }
    return wait.compareTo(maximumBackOff) > 0 ? maximumBackOff : wait;
  }
}
