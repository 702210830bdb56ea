package dev.weft.core.staging;

import dev.weft.api.Fault;
import java.util.Objects;

/** A transfer failed. */
public final class StagingException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Fault fault;

  /**
   * With the fault that the task gets.
   *
   * @param fault its code is one of {@code staging.vanished}, {@code staging.mismatch}, {@code
   *     staging.disk}, {@code staging.unreachable}, {@code staging.unknown}
   */
  public StagingException(Fault fault, Throwable cause) {
    super(fault.message(), cause);
    this.fault = Objects.requireNonNull(fault, "fault");
  }

  /** What went wrong. */
  public Fault fault() {
    return fault;
  }
}
