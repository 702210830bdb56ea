package dev.weft.scheduler;

import dev.weft.api.AttemptId;
import dev.weft.api.ContentId;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.job.JobSpec;
import dev.weft.core.bus.Peer;
import dev.weft.core.message.Message;
import dev.weft.core.resources.Authority;
import dev.weft.core.resources.Placement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What happens to the scheduler. */
public sealed interface SchedulerEvent {
  /** A job file was right; the job is accepted. */
  record Accepted(JobId job, JobSpec spec, String submitter) implements SchedulerEvent {}

  /** A job's input was cut, or not. */
  record Split(JobId job, JobSplitter.Result result) implements SchedulerEvent {}

  /** Which resource managers there are, and who leads them as far as is known. */
  record Managers(List<NodeId> managers, Optional<NodeId> leader) implements SchedulerEvent {}

  /** A resource manager has answered a question ({@link SchedulerEffect.Place}). */
  record Placements(long question, NodeId from, List<Placement> placements)
      implements SchedulerEvent {}

  /** A resource manager has refused a question, or the bus gave it up. */
  record NotAnswered(long question, Fault fault) implements SchedulerEvent {}

  /** A resource manager tells who leads ({@link SchedulerEffect.Suspect}). */
  record Leading(NodeId from, Optional<NodeId> leader, Authority authority)
      implements SchedulerEvent {}

  /** A node has answered a dispatch made for a boot of it, or the bus gave it up. */
  record Dispatched(NodeId node, long boot, List<AttemptId> attempts, Message answer)
      implements SchedulerEvent {}

  /** A node has confirmed that attempts which were cancelled hold nothing and never will. */
  record Cancelled(NodeId node, List<AttemptId> over) implements SchedulerEvent {}

  /** A node tells how attempts are doing; every result is on disk already. */
  record StatusArrived(Peer from, List<Message.AttemptStatus> attempts, long token)
      implements SchedulerEvent {}

  /** A node can be talked to, perhaps in another boot. */
  record NodeUp(Peer peer) implements SchedulerEvent {}

  /** A node is gone. */
  record NodeDown(Peer peer, Fault reason) implements SchedulerEvent {}

  /** A user wants a job to stop. */
  record CancelAsked(JobId job) implements SchedulerEvent {}

  /** An operator wants a node emptied; it gets no more placements since before this event. */
  record DrainAsked(NodeId node, Duration deadline) implements SchedulerEvent {}

  /** An operator wants a node used again. */
  record DrainEnded(NodeId node) implements SchedulerEvent {}

  /** The results of a job, one after the other, are offered under this name. */
  record MergeOffered(JobId job, ContentId content) implements SchedulerEvent {}

  /** The result of a job is written. */
  record Delivered(JobId job) implements SchedulerEvent {}

  /** The result of a job could not be merged or written. */
  record NotDelivered(JobId job, Fault fault) implements SchedulerEvent {}
}
