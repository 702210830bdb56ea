package dev.weft.scheduler;

import dev.weft.core.job.JobView.WaitReason;
import dev.weft.core.job.JobView.Waiting;
import dev.weft.core.resources.Placement;
import java.util.Map;

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

  static Waiting backOff(int task) {
    return new Waiting(
        task, WaitReason.BACK_OFF, "it is tried again after the retry wait", Map.of());
  }

  static Waiting others(int task) {
    return new Waiting(task, WaitReason.PRIORITY, "other tasks are served first", Map.of());
  }
}
