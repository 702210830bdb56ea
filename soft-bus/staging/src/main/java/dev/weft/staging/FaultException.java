package dev.weft.staging;

import dev.weft.api.Fault;
import java.util.Objects;

/** A transfer cannot go on, but both sides still agree where they are. Stays in this bundle. */
final class FaultException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Fault fault;

  FaultException(Fault fault) {
    super(fault.message());
    this.fault = Objects.requireNonNull(fault, "fault");
  }

  FaultException(Fault fault, Throwable cause) {
    super(fault.message(), cause);
    this.fault = Objects.requireNonNull(fault, "fault");
  }

  Fault fault() {
    return fault;
  }
}
