package dev.weft.agent.run;

/**
 * What a run may write.
 *
 * @param output most bytes of standard output; more ends the attempt
 * @param errors most bytes of standard error that are kept; more is discarded
 */
public record RunLimits(long output, long errors) {
  /** Checks. */
  public RunLimits {
    if (output < 1 || errors < 0) {
      throw new IllegalArgumentException("limits must be positive: " + output + ", " + errors);
    }
  }
}
