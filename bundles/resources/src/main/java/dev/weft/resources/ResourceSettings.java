package dev.weft.resources;

import java.time.Duration;
import java.util.Objects;

/**
 * How the resource manager keeps the pool.
 *
 * @param reconcile what is done about reports whose version differs (B4)
 * @param mismatchTime how long such reports go on before that
 * @param placementTimeout how long a placement may go unnamed by its node; then the node is asked
 *     to refuse it (B7)
 * @param cancelPeriod time between two such questions
 */
public record ResourceSettings(
    Reconcile reconcile, Duration mismatchTime, Duration placementTimeout, Duration cancelPeriod) {
  /** The modes of B4. */
  public enum Reconcile {
    /** (a) The manager takes over the node's amount and version. */
    ADOPT,
    /** (b) The manager takes over the node's amount and sends its version. */
    IMPOSE,
    /** (c) The node is told, and sends an update if they do not agree by themselves. */
    ASK
  }

  /** What holds if nothing is configured. */
  public static final ResourceSettings DEFAULT =
      new ResourceSettings(
          Reconcile.IMPOSE, Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(2));

  /** Checks. */
  public ResourceSettings {
    Objects.requireNonNull(reconcile, "reconcile");
    requirePositive(mismatchTime, "mismatch time");
    requirePositive(placementTimeout, "placement timeout");
    requirePositive(cancelPeriod, "cancel period");
  }

  private static void requirePositive(Duration duration, String what) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(what + " must be positive: " + duration);
    }
  }
}
