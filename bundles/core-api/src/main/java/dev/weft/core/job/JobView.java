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
 * @param submitter who submitted it
 * @param needs jobs that must be completed before it starts
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
    String submitter,
    List<JobId> needs,
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
    /** It waits: for a job that it needs, or for nodes; nothing of it has been dispatched yet. */
    PENDING,
    /** Its input is being split. */
    CONFIGURING,
    /** At least one attempt has been dispatched. */
    RUNNING,
    /** Its tasks are done, its result is being merged and delivered. */
    COMPLETING,
    /** Its result is delivered. */
    COMPLETED,
    /** It failed. */
    FAILED,
    /** It failed because a task ran longer than its time limit. */
    TIMEOUT,
    /** It failed because a task lost its node too often. */
    NODE_FAIL,
    /** Its user cancelled it. */
    CANCELLED;

    /** Whether nothing changes any more. */
    public boolean isFinal() {
      return switch (this) {
        case COMPLETED, FAILED, TIMEOUT, NODE_FAIL, CANCELLED -> true;
        case PENDING, CONFIGURING, RUNNING, COMPLETING -> false;
      };
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

  /** Why something waits, for programs. */
  public enum WaitReason {
    /** A job that it needs is not completed. */
    DEPENDENCY,
    /** Others of higher priority, or of users who have less, go first; or every slot is taken. */
    PRIORITY,
    /** No node has enough free. */
    RESOURCES,
    /** No node takes tasks. */
    NO_NODES,
    /** No placement policy is installed, or it does not decide. */
    POLICY,
    /** The job runs as many tasks as it may. */
    PARALLEL,
    /** It failed and is tried again after a wait. */
    BACK_OFF,
    /** The resource manager does not answer. */
    MANAGER
  }

  /**
   * Why a task waits.
   *
   * @param task index of the task; -1 if the job as a whole waits
   * @param code why, for programs
   * @param reason in plain words
   * @param refusals per node
   */
  public record Waiting(int task, WaitReason code, String reason, Map<NodeId, Refusal> refusals) {
    /** Copies. */
    public Waiting {
      Objects.requireNonNull(code, "code");
      Objects.requireNonNull(reason, "reason");
      refusals = Map.copyOf(refusals);
    }
  }

  /** Copies and checks. */
  public JobView {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(submitter, "submitter");
    needs = List.copyOf(needs);
    Objects.requireNonNull(desired, "desired");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(counts, "counts");
    Objects.requireNonNull(submitted, "submitted");
    nodes = List.copyOf(nodes);
  }
}
