package dev.weft.scheduler;

import dev.weft.api.AttemptId;
import dev.weft.api.ContentId;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.job.JobSpec;
import dev.weft.api.job.Merge;
import dev.weft.api.job.Shard;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.core.bus.Peer;
import dev.weft.core.job.JobView;
import dev.weft.core.job.TaskView;
import dev.weft.core.message.Message;
import dev.weft.core.message.Outcome;
import dev.weft.core.resources.Placement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The task scheduler's mind: jobs, their tasks, a buffer pool of fixed size, attempts and their
 * outcomes (A2 to A8, D1, D4). Plain state and rules, one thread at a time; the time is an
 * argument.
 *
 * <p>A task goes: waiting, placing, running, done; whatever goes wrong with an attempt brings it
 * back to waiting. Only the current attempt's outcome counts, once (I2). An attempt that does not
 * count any more keeps its amount until its node is known to have ended it ({@link Withdrawn}).
 */
final class SchedulerCore {
  /** Most attempts in one message that cancels. */
  static final int MAXIMUM_CANCELS = 128;

  /** Most tasks of jobs that have not ended. */
  static final int MAXIMUM_TASKS = 2 * JobSpec.MAXIMUM_TASKS;

  /** Most tasks of ended jobs that are remembered, but those of the last job always are. */
  static final int MAXIMUM_ENDED_TASKS = JobSpec.MAXIMUM_TASKS;

  private SchedulerSettings settings;
  private final Map<JobId, Job> jobs = new LinkedHashMap<>();
  private final BufferPool pool = new BufferPool();
  private final Decisions decisions = new Decisions();
  private final Map<AttemptId, Attempt> running = new HashMap<>();
  private final Map<NodeId, Peer> nodes = new HashMap<>();
  private final Withdrawn withdrawn = new Withdrawn();
  private final Map<NodeId, List<AttemptId>> cancels = new LinkedHashMap<>();
  private List<SchedulerEffect> effects = new ArrayList<>();

  SchedulerCore(SchedulerSettings settings) {
    this.settings = settings;
  }

  void configure(SchedulerSettings newSettings) {
    settings = newSettings;
  }

  SchedulerSettings settings() {
    return settings;
  }

  /** Takes in an event; returns what is to be done. */
  List<SchedulerEffect> handle(SchedulerEvent event, Instant now) {
    if (event instanceof SchedulerEvent.Accepted accepted) {
      accept(accepted, now);
    } else if (event instanceof SchedulerEvent.Split split) {
      split(split, now);
    } else if (event instanceof SchedulerEvent.Placements placements) {
      place(placements.placements(), now);
    } else if (event instanceof SchedulerEvent.Dispatched dispatched) {
      dispatched(dispatched, now);
    } else if (event instanceof SchedulerEvent.CancelHeard heard) {
      withdrawn.heard(heard.node(), heard.attempts(), now);
    } else if (event instanceof SchedulerEvent.StatusArrived status) {
      status(status, now);
    } else if (event instanceof SchedulerEvent.NodeUp up) {
      nodeUp(up.peer(), now);
    } else if (event instanceof SchedulerEvent.NodeDown down) {
      nodeDown(down, now);
    } else if (event instanceof SchedulerEvent.CancelAsked cancel) {
      cancel(cancel.job(), now);
    } else if (event instanceof SchedulerEvent.MergeOffered offered) {
      running(offered.job())
          .ifPresent(job -> job.addMerge(new Shard.Content(offered.content(), "results")));
      pool.wake();
    } else if (event instanceof SchedulerEvent.Delivered delivered) {
      running(delivered.job())
          .ifPresent(job -> end(job, JobView.State.COMPLETED, Optional.empty(), now));
    } else if (event instanceof SchedulerEvent.NotDelivered not) {
      running(not.job())
          .ifPresent(job -> end(job, JobView.State.FAILED, Optional.of(not.fault()), now));
    }
    inject(now);
    return takeEffects();
  }

  /** Lets time pass: attempts that are silent, tasks whose wait is over. */
  List<SchedulerEffect> tick(Instant now) {
    List<Attempt> silent =
        running.values().stream().filter(attempt -> attempt.isSilent(now)).toList();
    for (Attempt attempt : silent) {
      if (running.containsKey(attempt.id)) { // the job may have ended with the one before
        String why = "no status for " + attempt.timeout.toMillis() + " ms";
        withdraw(attempt, "lost", lost(why), Job.Ending.FAILED, now);
        retry(attempt, now, now);
      }
    }
    release(withdrawn.removeSilent(now));
    withdrawn.unheard(now).forEach(this::cancelAt);
    forgetOldJobs();
    pool.wake();
    inject(now);
    return takeEffects();
  }

  private List<SchedulerEffect> takeEffects() {
    cancels.forEach(
        (node, all) -> {
          for (int from = 0; from < all.size(); from += MAXIMUM_CANCELS) {
            int to = Math.min(all.size(), from + MAXIMUM_CANCELS);
            effects.add(new SchedulerEffect.Cancel(node, List.copyOf(all.subList(from, to))));
          }
        });
    cancels.clear();
    List<SchedulerEffect> taken = effects;
    effects = new ArrayList<>();
    return taken;
  }

  private void cancelAt(NodeId node, List<AttemptId> attempts) {
    cancels.computeIfAbsent(node, key -> new ArrayList<>()).addAll(attempts);
  }

  // Jobs --------------------------------------------------------------------------------------

  private void accept(SchedulerEvent.Accepted event, Instant now) {
    jobs.put(event.job(), new Job(event.job(), event.spec(), now));
    effects.add(new SchedulerEffect.Split(event.job(), event.spec()));
  }

  private Optional<Job> running(JobId id) {
    return Optional.ofNullable(jobs.get(id)).filter(job -> !job.isEnded());
  }

  private void split(SchedulerEvent.Split event, Instant now) {
    Optional<Job> found = running(event.job());
    if (found.isEmpty()) {
      effects.add(new SchedulerEffect.ForgetStaging(event.job())); // cancelled meanwhile
      return;
    }
    Job job = found.get();
    if (event.result() instanceof JobSplitter.Result.Cut cut) {
      long tasks =
          jobs.values().stream().filter(other -> !other.isEnded()).mapToLong(Job::shards).sum();
      if (tasks + cut.shards().size() > MAXIMUM_TASKS) {
        end(job, JobView.State.FAILED, Optional.of(tooMany(cut.shards().size(), tasks)), now);
        return;
      }
      job.cut(cut.shards(), cut.files(), cut.policy());
      pool.add(job);
    } else if (event.result() instanceof JobSplitter.Result.NotCut not) {
      end(job, JobView.State.FAILED, Optional.of(not.fault()), now);
    }
  }

  private static Fault tooMany(int more, long tasks) {
    return new Fault(
        "scheduler.full",
        Fault.Category.RESOURCES,
        "%d more tasks are too many: jobs that have not ended have %d, at most %d fit; submit it again when some have ended"
            .formatted(more, tasks, MAXIMUM_TASKS),
        true);
  }

  private void cancel(JobId id, Instant now) {
    running(id)
        .ifPresent(
            job -> {
              job.desired = JobView.Desired.STOP;
              end(job, JobView.State.CANCELLED, Optional.empty(), now);
            });
  }

  /** A job is over: what still runs of it is stopped. */
  private void end(Job job, JobView.State how, Optional<Fault> why, Instant now) {
    for (Task task : job.tasks()) {
      task.current()
          .ifPresent(
              attempt -> withdraw(attempt, "cancelled", Optional.empty(), Job.Ending.DROPPED, now));
    }
    job.end(how, why, now);
    pool.remove(job);
    effects.add(new SchedulerEffect.ForgetStaging(job.id)); // the merged result is not there
  }

  /** Forgets the oldest jobs that have ended and were shown so, if there are too many. */
  private void forgetOldJobs() {
    List<Job> ended = jobs.values().stream().filter(Job::isEnded).toList();
    long tasks = ended.stream().mapToLong(Job::shards).sum();
    for (int i = 0; i < ended.size() - 1; i++) {
      Job oldest = ended.get(i);
      boolean tooMany = ended.size() - i > settings.jobsKept() || tasks > MAXIMUM_ENDED_TASKS;
      if (!tooMany || oldest.changed) {
        return;
      }
      jobs.remove(oldest.id);
      tasks -= oldest.shards();
      effects.add(new SchedulerEffect.ForgetJob(oldest.id));
    }
  }

  // Into the buffer pool and to a node ----------------------------------------------------------

  private void inject(Instant now) {
    List<Request> requests = pool.inject(settings.slots() - pool.asked() - running.size(), now);
    if (!requests.isEmpty()) {
      effects.add(new SchedulerEffect.Place(requests));
    }
  }

  private void place(List<Placement> placements, Instant now) {
    Dispatches dispatches = new Dispatches();
    for (Placement placement : placements) {
      if (placement instanceof Placement.Placed placed) {
        Optional<Task> task = pool.placed(placed.attempt());
        if (task.isPresent()) {
          begin(jobs.get(placed.attempt().task().job()), task.get(), placed, dispatches, now);
        } else {
          release(List.of(placed.attempt())); // cancelled meanwhile
        }
      } else {
        pool.refused(placement.attempt(), decisions.shared(placement.decision()), settings, now);
      }
    }
    effects.addAll(dispatches.messages());
  }

  private void begin(
      Job job, Task task, Placement.Placed placed, Dispatches dispatches, Instant now) {
    Peer node = nodes.get(placed.node());
    if (node == null || node.boot() != placed.boot()) {
      release(List.of(placed.attempt())); // gone since it was chosen, or not yet known here
      job.requeue(task, now.plus(settings.retryWait()));
      return;
    }
    Attempt attempt =
        new Attempt(
            placed,
            decisions.shared(placed.decision()),
            node.hostName(),
            settings.statusTimeout(),
            now);
    running.put(attempt.id, attempt);
    job.begin(task, attempt, now);
    dispatches.add(job, task, attempt, placed.version());
  }

  private void dispatched(SchedulerEvent.Dispatched event, Instant now) {
    if (event.answer() instanceof Message.Assigned assigned) {
      for (Message.Refused refused : assigned.refused()) {
        refused(event.node(), refused.attempt(), refused.fault(), now);
      }
    } else if (event.answer() instanceof Message.Failed failed) {
      boolean unknown = failed.fault().code().startsWith("peer.");
      for (AttemptId id : event.attempts()) {
        if (!unknown) {
          refused(event.node(), id, failed.fault(), now);
        } else if (running.containsKey(id)) {
          Attempt attempt = running.get(id);
          withdraw(attempt, "lost", Optional.of(failed.fault()), Job.Ending.FAILED, now);
          retry(attempt, now, now);
        }
      }
    }
  }

  /** The node does not start an attempt (B8): it never held anything there. */
  private void refused(NodeId node, AttemptId id, Fault fault, Instant now) {
    Attempt attempt = running.get(id);
    if (withdrawn.ended(node, id)) {
      release(List.of(id));
    } else if (attempt != null && attempt.node.equals(node)) {
      finish(attempt, "refused", Optional.of(fault), Job.Ending.DROPPED, now);
      if (fault.retry()) {
        retry(attempt, now.plus(settings.retryWait()), now);
      } else {
        failure(attempt, fault, now);
      }
    }
  }

  // How attempts go -----------------------------------------------------------------------------

  private void status(SchedulerEvent.StatusArrived event, Instant now) {
    List<AttemptId> notCurrent = new ArrayList<>();
    for (Message.AttemptStatus status : event.attempts()) {
      Attempt attempt = running.get(status.attempt());
      boolean current = attempt != null && attempt.node.equals(event.from().id());
      if (current && status.outcome().isPresent()) {
        outcome(attempt, status.outcome().get(), now);
      } else if (current) {
        attempt.heard(status.phase(), now);
        jobOf(attempt).changed = true;
      } else if (status.outcome().isPresent()) {
        if (withdrawn.ended(event.from().id(), status.attempt())) {
          release(List.of(status.attempt()));
        }
      } else {
        withdrawn.named(event.from().id(), status.attempt(), now);
        notCurrent.add(status.attempt());
      }
    }
    effects.add(new SchedulerEffect.AnswerStatus(event.token(), notCurrent));
  }

  private void outcome(Attempt attempt, Outcome outcome, Instant now) {
    if (outcome instanceof Outcome.Succeeded succeeded
        && succeeded.result() instanceof Outcome.Result.Stored stored) {
      succeed(attempt, stored.content(), now);
    } else if (outcome instanceof Outcome.Failed failed) {
      finish(attempt, "failed", Optional.of(failed.fault()), Job.Ending.FAILED, now);
      attempt.fail(failed, now);
      jobOf(attempt).keepErrorTail(attempt);
      failure(attempt, failed.fault(), now);
    } else if (outcome instanceof Outcome.Stopped stopped) {
      finish(attempt, "stopped", lost(stopped.reason()), Job.Ending.FAILED, now);
      retry(attempt, now, now);
    } else {
      throw new IllegalStateException("a result inside a message must be stored first");
    }
  }

  private void succeed(Attempt attempt, ContentId result, Instant now) {
    Job job = jobOf(attempt);
    Task task = taskOf(attempt);
    running.remove(attempt.id);
    attempt.succeed(now);
    release(List.of(attempt.id));
    task.done(result);
    job.over(task, attempt, Job.Ending.DONE);
    if (job.isMerge(task)) {
      deliver(job, List.of(new SchedulerEffect.Piece(job.idOf(task), result)));
    } else if (job.allShardsDone()) {
      job.state = JobView.State.COMPLETING;
      List<SchedulerEffect.Piece> results =
          job.tasks().stream()
              .map(done -> new SchedulerEffect.Piece(job.idOf(done), done.result().orElseThrow()))
              .toList();
      if (job.spec.merge() instanceof Merge.Run) {
        effects.add(new SchedulerEffect.OfferMerge(job.id, results));
      } else {
        deliver(job, results);
      }
    }
  }

  private void deliver(Job job, List<SchedulerEffect.Piece> results) {
    effects.add(new SchedulerEffect.Deliver(job.id, job.spec, results));
  }

  /** A task's attempt failed by its own fault: it is tried again, or the job has failed. */
  private void failure(Attempt attempt, Fault fault, Instant now) {
    Job job = jobOf(attempt);
    Task task = taskOf(attempt);
    task.failures++;
    if (fault.retry() && task.failures <= job.spec.retries()) {
      retry(attempt, now.plus(settings.retryWait()), now);
      return;
    }
    job.failed(task);
    String what = job.isMerge(task) ? "the merge task" : "task " + task.index;
    Fault failed =
        new Fault(
            fault.code(),
            fault.category(),
            "%s failed on %s (attempt %d): %s"
                .formatted(what, attempt.nodeName, attempt.id.number(), fault.message()),
            false);
    end(job, JobView.State.FAILED, Optional.of(failed), now);
  }

  private void retry(Attempt attempt, Instant notBefore, Instant now) {
    Job job = jobOf(attempt);
    Task task = taskOf(attempt);
    Optional<String> end = task.givenUp();
    if (end.isEmpty()) {
      job.requeue(task, notBefore);
      pool.wake();
      return;
    }
    job.failed(task);
    Fault fault =
        new Fault(
            "task.tries", Fault.Category.EXTERNAL, "task " + task.index + " " + end.get(), false);
    end(job, JobView.State.FAILED, Optional.of(fault), now);
  }

  /** The node has nothing of the attempt any more. */
  private void finish(
      Attempt attempt, String how, Optional<Fault> why, Job.Ending ending, Instant now) {
    running.remove(attempt.id);
    attempt.end(how, why, now);
    release(List.of(attempt.id));
    Task task = taskOf(attempt);
    task.clear(TaskView.State.WAITING);
    jobOf(attempt).over(task, attempt, ending);
  }

  /** The attempt does not count any more, but may still run. */
  private void withdraw(
      Attempt attempt, String how, Optional<Fault> why, Job.Ending ending, Instant now) {
    running.remove(attempt.id);
    attempt.end(how, why, now);
    withdrawn.add(attempt, now);
    Task task = taskOf(attempt);
    task.clear(TaskView.State.WAITING);
    jobOf(attempt).over(task, attempt, ending);
    cancelAt(attempt.node, List.of(attempt.id));
    pool.wake(); // a slot is empty
  }

  private void nodeUp(Peer peer, Instant now) {
    Peer before = nodes.put(peer.id(), peer);
    if (before != null && before.boot() != peer.boot()) {
      loseNode(peer.id(), peer.boot(), "node has restarted", now);
    }
    pool.open();
  }

  private void nodeDown(SchedulerEvent.NodeDown down, Instant now) {
    Peer known = nodes.get(down.peer().id());
    if (known != null && known.boot() > down.peer().boot()) {
      return; // it is back already
    }
    nodes.remove(down.peer().id());
    loseNode(down.peer().id(), -1, "node is gone: " + down.reason().message(), now);
  }

  /** Whatever a node ran in another boot than this one is dead. */
  private void loseNode(NodeId node, long aliveBoot, String why, Instant now) {
    List<Attempt> dead =
        running.values().stream()
            .filter(attempt -> attempt.node.equals(node) && attempt.boot != aliveBoot)
            .toList();
    for (Attempt attempt : dead) {
      if (running.containsKey(attempt.id)) { // the job may have ended with the one before
        taskOf(attempt).nodesLost++;
        finish(attempt, "lost", lost(why), Job.Ending.FAILED, now);
        retry(attempt, now, now);
      }
    }
    release(withdrawn.removeOf(node, aliveBoot));
  }

  private static Optional<Fault> lost(String why) {
    return Optional.of(new Fault("attempt.lost", Fault.Category.EXTERNAL, why, true));
  }

  private void release(List<AttemptId> attempts) {
    if (!attempts.isEmpty()) {
      effects.add(new SchedulerEffect.Release(attempts));
      pool.news(); // there is room again
    }
  }

  private Job jobOf(Attempt attempt) {
    return jobs.get(attempt.id.task().job());
  }

  private Task taskOf(Attempt attempt) {
    return jobOf(attempt).task(attempt.id.task().index()).orElseThrow();
  }

  // What can be asked -----------------------------------------------------------------------------

  Collection<Job> jobs() {
    return jobs.values();
  }

  Optional<Job> job(JobId id) {
    return Optional.ofNullable(jobs.get(id));
  }

  /** How many attempts still hold an amount. */
  int holding() {
    return pool.asked() + running.size() + withdrawn.size();
  }
}
