package dev.weft.agent.run;

import dev.weft.api.Fault;
import java.util.Objects;

/** An attempt cannot be started; the fault goes to its manager. */
final class StartFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Fault fault;

  StartFailure(Fault fault) {
    super(fault.message());
    this.fault = fault;
  }

  StartFailure(Fault fault, Throwable cause) {
    super(fault.message(), cause);
    this.fault = Objects.requireNonNull(fault, "fault");
  }

  Fault fault() {
    return fault;
  }
}
