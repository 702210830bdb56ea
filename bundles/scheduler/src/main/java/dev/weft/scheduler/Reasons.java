package dev.weft.scheduler;

import dev.weft.api.JobId;
import dev.weft.core.job.JobView.WaitReason;
import dev.weft.core.job.JobView.Waiting;
import dev.weft.core.resources.Placement;
import java.util.Map;
import java.util.Set;

/** Why tasks wait, for programs and in plain words (F2). */
final class Reasons {
  private Reasons() {}

  /** No node was found. */
  static Waiting refused(int task, Placement.Decision decision) {
    return new Waiting(task, code(decision), decision.reason(), decision.refusals());
  }

  private static WaitReason code(Placement.Decision decision) {
    if (decision.policy().isEmpty()) {
      return WaitReason.POLICY;
    }
    boolean noNode = decision.refusals().isEmpty() && decision.shortages().isEmpty();
    return noNode ? WaitReason.NO_NODES : WaitReason.RESOURCES;
  }

  static Waiting manager(int task) {
    return new Waiting(task, WaitReason.MANAGER, "the resource manager does not answer", Map.of());
  }

  /** A job waits as a whole. */
  static Waiting dependency(Set<JobId> missing) {
    String first = missing.stream().sorted().findFirst().orElseThrow().toString();
    String jobs =
        missing.size() == 1 ? "job " + first : missing.size() + " jobs, " + first + " among them";
    return new Waiting(
        -1, WaitReason.DEPENDENCY, "needs " + jobs + ", not completed yet", Map.of());
  }

  static Waiting parallel(int task, int inPool) {
    return new Waiting(
        task,
        WaitReason.PARALLEL,
        "%d tasks of the job are placed or run; its file allows no more".formatted(inPool),
        Map.of());
  }

  static Waiting backOff(int task) {
    return new Waiting(
        task, WaitReason.BACK_OFF, "it is tried again after the retry wait", Map.of());
  }

  static Waiting others(int task) {
    return new Waiting(task, WaitReason.PRIORITY, "other tasks are served first", Map.of());
  }
}
