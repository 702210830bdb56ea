package dev.weft.scheduler;

import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.scheduler.flow.JobStates;
import java.util.Optional;

/** The faults that the scheduler itself finds, and what a job is that ends by a fault. */
final class Faults {
  /** A task was tried too often. */
  static final String TRIES = "task.tries";

  /** A task lost its node too often. */
  static final String NODES_LOST = "task.nodes-lost";

  /** The code of a node's fault when a command ran longer than its time limit. */
  static final String TIMEOUT = "command.timeout";

  private static final String DEPENDENCY = "job.dependency";

  private Faults() {}

  /** How a job ends that failed by a fault. */
  static JobStates.Event endOf(Fault fault) {
    return switch (fault.code()) {
      case TIMEOUT -> JobStates.Event.TIME_OUT;
      case NODES_LOST -> JobStates.Event.LOSE_NODES;
      default -> JobStates.Event.FAIL;
    };
  }

  static Fault tooMany(int more, long tasks, int most) {
    return new Fault(
        "scheduler.full",
        Fault.Category.RESOURCES,
        "%d more tasks are too many: jobs that have not ended have %d, at most %d fit; submit it again when some have ended"
            .formatted(more, tasks, most),
        true);
  }

  /** An attempt came to no outcome of its own. */
  static Optional<Fault> lost(String why) {
    return Optional.of(new Fault("attempt.lost", Fault.Category.EXTERNAL, why, true));
  }

  static Fault abandoned(String task, Task.Abandoned why) {
    return new Fault(why.code(), Fault.Category.EXTERNAL, task + " " + why.reason(), false);
  }

  /** What a job says whose task has failed for good. */
  static Fault ofTask(String task, Attempt attempt, Fault fault) {
    return new Fault(
        fault.code(),
        fault.category(),
        "%s failed on %s (attempt %d): %s"
            .formatted(task, attempt.nodeName, attempt.id.number(), fault.message()),
        false);
  }

  /** A job that another one needs is not there. */
  static Fault unknownNeed(JobId needed) {
    return new Fault(
        DEPENDENCY,
        Fault.Category.USER,
        "needs job %s, which is not known; submit that one first".formatted(needed.hex()),
        false);
  }

  /** A job that another one needs has not been completed. */
  static Fault failedNeed(Job needed) {
    return new Fault(
        DEPENDENCY,
        Fault.Category.USER,
        "needs job %s (%s), which is %s; mend that one and submit both again"
            .formatted(needed.id, needed.spec.name(), needed.state()),
        false);
  }

  /** An attempt was taken from its node to be tried elsewhere. */
  static Fault withdrawn(String why) {
    return new Fault("attempt.withdrawn", Fault.Category.RESOURCES, why, true);
  }
}
