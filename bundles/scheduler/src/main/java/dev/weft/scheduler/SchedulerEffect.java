package dev.weft.scheduler;

import dev.weft.api.AttemptId;
import dev.weft.api.ContentId;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.TaskId;
import dev.weft.api.job.Command;
import dev.weft.api.job.JobSpec;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.core.message.Message.Assignment;
import dev.weft.core.message.Message.StagedFile;
import dev.weft.core.resources.Authority;
import java.util.List;

/** What the scheduler wants done. */
public sealed interface SchedulerEffect {
  /** Cut a job's input. */
  record Split(JobId job, JobSpec spec) implements SchedulerEffect {}

  /** Ask a resource manager for nodes; {@code question} names this question in its answer. */
  record Place(long question, NodeId manager, List<Request> requests) implements SchedulerEffect {}

  /** Tell a resource manager that the leader does not answer, and ask who leads now (A6). */
  record Suspect(NodeId manager, NodeId leader) implements SchedulerEffect {}

  /** Send attempts of one job to a node. */
  record Dispatch(
      NodeId node,
      long boot,
      Authority authority,
      JobId job,
      JobSpec spec,
      Command command,
      List<StagedFile> files,
      int tasks,
      List<Assignment> assignments)
      implements SchedulerEffect {}

  /** Tell a node to stop attempts. */
  record Cancel(NodeId node, List<AttemptId> attempts) implements SchedulerEffect {}

  /** Tell a resource manager that a node has said, in a boot of it, that attempts are over. */
  record Over(NodeId manager, NodeId node, long boot, List<AttemptId> attempts)
      implements SchedulerEffect {}

  /** Tell a resource manager that placements are not wanted any more. */
  record Withdraw(NodeId manager, List<AttemptId> attempts) implements SchedulerEffect {}

  /** Answer a status message. */
  record AnswerStatus(long token, List<AttemptId> notCurrent) implements SchedulerEffect {}

  /** Offer the results, one after the other, as the input of the merge command. */
  record OfferMerge(JobId job, List<Piece> results) implements SchedulerEffect {}

  /** Write the results, one after the other, as the result of the job. */
  record Deliver(JobId job, JobSpec spec, List<Piece> results) implements SchedulerEffect {}

  /** The result of one task. */
  record Piece(TaskId task, ContentId content) {}

  /** Forget everything stored for a job but its merged result. */
  record ForgetStaging(JobId job) implements SchedulerEffect {}

  /** Forget a job altogether. */
  record ForgetJob(JobId job) implements SchedulerEffect {}
}
