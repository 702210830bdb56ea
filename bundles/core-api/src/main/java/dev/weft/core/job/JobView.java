package dev.weft.core.job;

import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.policy.Refusal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A job at one moment.
 *
 * @param id the job
 * @param name from the job file
 * @param desired what its user wants
 * @param state what it is
 * @param counts its tasks
 * @param priority 1 to 100
 * @param splitPolicy name and version of the policy that cut it; empty before that, and if the job
 *     file left it no choice
 * @param submitted when it was accepted
 * @param started when its first attempt was dispatched
 * @param ended when it reached a final state
 * @param fault why it failed
 * @param output where the user wants the result
 * @param nodes per node, in order of name, what it did
 * @param waiting why its oldest waiting task waits; empty if none waits
 */
public record JobView(
    JobId id,
    String name,
    Desired desired,
    State state,
    Counts counts,
    int priority,
    String splitPolicy,
    Instant submitted,
    Optional<Instant> started,
    Optional<Instant> ended,
    Optional<Fault> fault,
    Optional<Path> output,
    List<NodeShare> nodes,
    Optional<Waiting> waiting) {
  /** What the user wants of a job. */
  public enum Desired {
    /** It should run. */
    RUN,
    /** It should stop. */
    STOP
  }

  /** What a job is. */
  public enum State {
    /** Its input is being split. */
    CONFIGURING,
    /** It waits; nothing of it has been dispatched yet. */
    PENDING,
    /** At least one attempt has been dispatched. */
    RUNNING,
    /** Its tasks are done, its result is being merged and delivered. */
    COMPLETING,
    /** Its result is delivered. */
    COMPLETED,
    /** It failed. */
    FAILED,
    /** Its user cancelled it. */
    CANCELLED;

    /** Whether nothing changes any more. */
    public boolean isFinal() {
      return this == COMPLETED || this == FAILED || this == CANCELLED;
    }
  }

  /**
   * Tasks by state; the merge task is not counted.
   *
   * @param total all
   * @param waiting not dispatched
   * @param running dispatched
   * @param done succeeded
   * @param failed given up
   */
  public record Counts(int total, int waiting, int running, int done, int failed) {
    /** Tasks that came to no end of their own, because the job was stopped. */
    public int cancelled() {
      return total - waiting - running - done - failed;
    }
  }

  /**
   * What a node did for the job.
   *
   * @param node the node
   * @param name its host name
   * @param running attempts there now
   * @param done tasks it completed
   * @param failed attempts that failed or were lost there
   */
  public record NodeShare(NodeId node, String name, int running, int done, int failed) {}

  /**
   * Why a task waits.
   *
   * @param task index of the task
   * @param reason in plain words
   * @param refusals per node
   */
  public record Waiting(int task, String reason, Map<NodeId, Refusal> refusals) {
    /** Copies. */
    public Waiting {
      Objects.requireNonNull(reason, "reason");
      refusals = Map.copyOf(refusals);
    }
  }

  /** Copies and checks. */
  public JobView {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(desired, "desired");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(counts, "counts");
    Objects.requireNonNull(submitted, "submitted");
    nodes = List.copyOf(nodes);
  }
}
