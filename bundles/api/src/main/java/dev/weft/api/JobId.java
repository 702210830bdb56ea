package dev.weft.api;

/**
 * The name of a job, drawn at random when it is submitted.
 *
 * @param hex 32 lower-case hexadecimal digits
 */
public record JobId(String hex) implements Comparable<JobId> {
  /** Number of hexadecimal digits. */
  public static final int LENGTH = 32;

  /** Checks the form. */
  public JobId {
    HexId.check(hex, LENGTH, "job id");
  }

  /** The first 8 digits, as shown to people. */
  public String shortForm() {
    return hex.substring(0, HexId.SHORT_LENGTH);
  }

  @Override
  public int compareTo(JobId other) {
    return hex.compareTo(other.hex);
  }

  @Override
  public String toString() {
    return shortForm();
  }
}
