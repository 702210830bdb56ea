package dev.weft.agent;

import dev.weft.api.Fault;
import dev.weft.api.job.Command;
import dev.weft.core.message.Message;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Checks what a whole assignment message asks for, whoever sent it. */
final class AssignCheck {
  private static final Duration SHORTEST_PERIOD = Duration.ofMillis(10);
  private static final Duration LONGEST_PERIOD = Duration.ofHours(1);
  private static final int MOST_PERIODS = 1_000;
  private static final Duration LONGEST_GRACE = Duration.ofHours(1);
  private static final Duration LONGEST_RUN = Duration.ofDays(366);

  private static final List<String> KINDS = List.of(Command.PROCESS, Command.NO_OPERATION);

  private AssignCheck() {}

  static Optional<Fault> fault(Message.Assign request, long boot) {
    if (request.boot() != boot) {
      return Optional.of(
          new Fault(
              "node.boot",
              Fault.Category.RESOURCES,
              "meant for boot "
                  + request.boot()
                  + " of this node, which is in boot "
                  + boot
                  + "; place it again",
              true));
    }
    Message.StatusRules rules = request.rules();
    if (rules.period().compareTo(SHORTEST_PERIOD) < 0
        || rules.period().compareTo(LONGEST_PERIOD) > 0
        || rules.periods() > MOST_PERIODS
        || rules.grace().compareTo(LONGEST_GRACE) > 0) {
      return wrong(
          "status rules out of range: a period of 10 ms to 1 h, at most "
              + MOST_PERIODS
              + " periods, a grace of at most 1 h");
    }
    Duration limit = request.part().timeLimit();
    if (limit.isNegative() || limit.isZero() || limit.compareTo(LONGEST_RUN) > 0) {
      return wrong("time limit out of range: more than 0, at most 366 days");
    }
    int port = request.part().stagingPort();
    if (port < 0 || port > 65_535) {
      return wrong("not a port for staging: " + port);
    }
    String kind = request.part().command().kind();
    if (!KINDS.contains(kind)) {
      return wrong("no executor of kind '" + kind + "' here; there is " + String.join(", ", KINDS));
    }
    boolean mixed =
        request.assignments().stream()
            .anyMatch(one -> !one.attempt().task().job().equals(request.part().job()));
    return mixed ? wrong("an assignment of another job") : Optional.empty();
  }

  private static Optional<Fault> wrong(String what) {
    return Optional.of(new Fault("assign.wrong", Fault.Category.USER, what, false));
  }
}
