package dev.weft.scheduler.split;

import dev.weft.api.Fault;
import java.util.Objects;

/** A job cannot be cut. Stays inside this package. */
final class SplitException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Fault fault;

  SplitException(Fault fault) {
    super(fault.message());
    this.fault = Objects.requireNonNull(fault, "fault");
  }

  SplitException(Fault fault, Throwable cause) {
    super(fault.message(), cause);
    this.fault = Objects.requireNonNull(fault, "fault");
  }

  static SplitException user(String code, String message) {
    return new SplitException(new Fault(code, Fault.Category.USER, message, false));
  }

  Fault fault() {
    return fault;
  }
}
