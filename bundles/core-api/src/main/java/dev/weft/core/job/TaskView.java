package dev.weft.core.job;

import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import dev.weft.api.TaskId;
import dev.weft.core.resources.Placement;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A task at one moment.
 *
 * @param id the task
 * @param merge whether it is the merge task
 * @param shard what it works on, in plain words
 * @param desired what is wanted of it
 * @param state what it is
 * @param refused the last answer that refused it a node, if it waits
 * @param attempts all tries, oldest first; of very many only the last 16
 */
public record TaskView(
    TaskId id,
    boolean merge,
    String shard,
    JobView.Desired desired,
    State state,
    Optional<Placement.Decision> refused,
    List<AttemptView> attempts) {
  /** What a task is. */
  public enum State {
    /** It waits for a node. */
    WAITING,
    /** Its current attempt is dispatched. */
    RUNNING,
    /** It succeeded. */
    DONE,
    /** It is given up. */
    FAILED,
    /** Its job was cancelled. */
    CANCELLED
  }

  /** Copies and checks. */
  public TaskView {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(shard, "shard");
    Objects.requireNonNull(desired, "desired");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(refused, "refused");
    attempts = List.copyOf(attempts);
  }

  /** What an attempt is. */
  public enum AttemptState {
    /** It is on the way to its node. */
    DISPATCHED,
    /** Its folder, input and files are being prepared. */
    STAGING,
    /** Its command runs. */
    RUNNING,
    /** Its result is on the way to the manager. */
    DELIVERING,
    /** It succeeded. */
    SUCCEEDED,
    /** Its command failed, or could not be started. */
    FAILED,
    /** Its node stopped it by itself. */
    STOPPED,
    /** Its node was lost, or silent for too long. */
    LOST,
    /** Its node refused it. */
    REFUSED,
    /** It was withdrawn: its job was stopped, its node drained, or its dispatch stalled. */
    CANCELLED;

    /** Whether nothing changes any more. */
    public boolean isFinal() {
      return compareTo(DELIVERING) > 0;
    }
  }

  /**
   * One try.
   *
   * @param number from 1
   * @param node where
   * @param nodeName its host name
   * @param decision how the node was chosen
   * @param desired what is wanted of it
   * @param state what it is doing or how it ended
   * @param started when it was dispatched
   * @param ended when it was over
   * @param fault what went wrong
   * @param exitCode exit code, or 128 plus the signal
   * @param errorTail end of its standard error, at most 4 KiB
   */
  public record AttemptView(
      int number,
      NodeId node,
      String nodeName,
      Placement.Decision decision,
      JobView.Desired desired,
      AttemptState state,
      Instant started,
      Optional<Instant> ended,
      Optional<Fault> fault,
      OptionalInt exitCode,
      String errorTail) {
    /** Checks. */
    public AttemptView {
      Objects.requireNonNull(node, "node");
      Objects.requireNonNull(nodeName, "nodeName");
      Objects.requireNonNull(decision, "decision");
      Objects.requireNonNull(desired, "desired");
      Objects.requireNonNull(state, "state");
      Objects.requireNonNull(started, "started");
      Objects.requireNonNull(errorTail, "errorTail");
    }
  }
}
