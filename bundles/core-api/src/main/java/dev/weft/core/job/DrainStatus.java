package dev.weft.core.job;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * How far the drain of a node is.
 *
 * @param node the node
 * @param since when it began
 * @param deadline when what is left is withdrawn
 * @param left attempts of the node that go on or are being stopped, in order of id
 * @param ended how many attempts have ended since the drain began
 * @param withdrawn how many of them were withdrawn and are tried elsewhere
 */
public record DrainStatus(
    NodeId node, Instant since, Instant deadline, List<Left> left, int ended, int withdrawn) {
  /** Copies and checks. */
  public DrainStatus {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(since, "since");
    Objects.requireNonNull(deadline, "deadline");
    left = List.copyOf(left);
  }

  /** Whether nothing is left on the node. */
  public boolean isDone() {
    return left.isEmpty();
  }

  /**
   * An attempt that is left.
   *
   * @param attempt which
   * @param job name of its job
   * @param state what it is
   */
  public record Left(AttemptId attempt, String job, TaskView.AttemptState state) {
    /** Checks. */
    public Left {
      Objects.requireNonNull(attempt, "attempt");
      Objects.requireNonNull(job, "job");
      Objects.requireNonNull(state, "state");
    }
  }
}
