package dev.weft.scheduler;

import dev.weft.api.AttemptId;
import dev.weft.api.ContentId;
import dev.weft.api.Demand;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

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
  /** Most tries of one task, so that a task that kills its nodes does not go on for ever. */
  static final int MAXIMUM_TRIES = 100;

  private SchedulerSettings settings;
  private final Map<JobId, Job> jobs = new LinkedHashMap<>();
  private final NavigableMap<Integer, Deque<Job>> active = new TreeMap<>(Comparator.reverseOrder());
  private final Map<AttemptId, Task> placing = new LinkedHashMap<>();
  private final Map<AttemptId, Attempt> running = new LinkedHashMap<>();
  private final Map<NodeId, Peer> nodes = new HashMap<>();
  private final Map<Demand, Instant> refusedDemands = new HashMap<>();
  private final Withdrawn withdrawn = new Withdrawn();
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
      withdrawn.heard(heard.attempts());
    } else if (event instanceof SchedulerEvent.StatusArrived status) {
      status(status, now);
    } else if (event instanceof SchedulerEvent.NodeUp up) {
      nodeUp(up.peer(), now);
    } else if (event instanceof SchedulerEvent.NodeDown down) {
      nodes.remove(down.peer().id());
      loseNode(down.peer().id(), -1, "node is gone: " + down.reason().message(), now);
    } else if (event instanceof SchedulerEvent.CancelAsked cancel) {
      cancel(cancel.job(), now);
    } else if (event instanceof SchedulerEvent.MergeOffered offered) {
      running(offered.job())
          .ifPresent(job -> job.addMerge(new Shard.Content(offered.content(), "results")));
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
    refusedDemands.values().removeIf(until -> !until.isAfter(now));
    List<Attempt> silent =
        running.values().stream()
            .filter(attempt -> now.isAfter(attempt.heard.plus(settings.statusTimeout())))
            .toList();
    for (Attempt attempt : silent) {
      String why = "no status for " + settings.statusTimeout().toMillis() + " ms";
      withdraw(attempt, "lost", lost(why), now);
      retry(attempt, now, now);
    }
    release(withdrawn.removeSilent(settings.statusTimeout(), now));
    withdrawn
        .unheard(settings.statusTimeout(), now)
        .forEach((node, attempts) -> effects.add(new SchedulerEffect.Cancel(node, attempts)));
    inject(now);
    return takeEffects();
  }

  private List<SchedulerEffect> takeEffects() {
    List<SchedulerEffect> taken = effects;
    effects = new ArrayList<>();
    return taken;
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
      job.cut(cut.shards(), cut.files(), cut.policy());
      active.computeIfAbsent(job.spec.priority(), priority -> new ArrayDeque<>()).add(job);
    } else if (event.result() instanceof JobSplitter.Result.NotCut not) {
      end(job, JobView.State.FAILED, Optional.of(not.fault()), now);
    }
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
      task.current().ifPresent(attempt -> withdraw(attempt, "cancelled", Optional.empty(), now));
    }
    job.end(how, why, now);
    Deque<Job> same = active.get(job.spec.priority());
    if (same != null) {
      same.remove(job);
    }
    if (how != JobView.State.FAILED || why.isEmpty() || !why.get().code().startsWith("output.")) {
      effects.add(new SchedulerEffect.ForgetStaging(job.id));
    }
    forgetOldJobs();
  }

  private void forgetOldJobs() {
    long ended = jobs.values().stream().filter(Job::isEnded).count();
    var oldest = jobs.values().iterator();
    while (ended > settings.jobsKept() && oldest.hasNext()) {
      Job job = oldest.next();
      if (job.isEnded()) {
        oldest.remove();
        effects.add(new SchedulerEffect.ForgetJob(job.id));
        ended--;
      }
    }
  }

  // Into the buffer pool and to a node ----------------------------------------------------------

  /** One traversal: fills the empty slots of the buffer pool from the queue (D1). */
  private void inject(Instant now) {
    int empty = settings.slots() - placing.size() - running.size();
    List<Request> requests = new ArrayList<>();
    for (Deque<Job> same : active.values()) {
      int passed = 0;
      while (requests.size() < empty && passed < same.size()) {
        Job job = same.poll(); // one task of each job in turn
        same.add(job);
        Optional<Task> task =
            refusedDemands.containsKey(job.spec.demand()) ? Optional.empty() : job.poll(now);
        passed = task.isPresent() ? 0 : passed + 1;
        task.ifPresent(
            next -> {
              AttemptId attempt = next.next(job.idOf(next));
              placing.put(attempt, next);
              requests.add(new Request(attempt, job.spec.demand()));
            });
      }
    }
    if (!requests.isEmpty()) {
      effects.add(new SchedulerEffect.Place(requests));
    }
  }

  private void place(List<Placement> placements, Instant now) {
    Map<DispatchKey, List<Message.Assignment>> dispatches = new LinkedHashMap<>();
    for (Placement placement : placements) {
      Task task = placing.remove(placement.attempt());
      Optional<Job> job = running(placement.attempt().task().job());
      if (task == null || job.isEmpty()) {
        release(List.of(placement.attempt())); // cancelled meanwhile
      } else if (placement instanceof Placement.Placed placed) {
        begin(job.get(), task, placed, dispatches, now);
      } else {
        job.get().refuse(task, placement.decision());
        job.get().requeueFirst(task);
        refusedDemands.put(job.get().spec.demand(), now.plus(settings.retryWait()));
      }
    }
    dispatches.forEach(this::dispatch);
  }

  private record DispatchKey(NodeId node, long boot, Job job, boolean merge) {}

  private void begin(
      Job job,
      Task task,
      Placement.Placed placed,
      Map<DispatchKey, List<Message.Assignment>> dispatches,
      Instant now) {
    Peer node = nodes.get(placed.node());
    if (node == null || node.boot() != placed.boot()) {
      release(List.of(placed.attempt())); // gone since it was chosen
      job.requeueFirst(task);
      return;
    }
    Attempt attempt = new Attempt(placed, node.hostName(), now);
    running.put(attempt.id, attempt);
    job.begin(task, attempt, now);
    dispatches
        .computeIfAbsent(
            new DispatchKey(placed.node(), placed.boot(), job, job.isMerge(task)),
            key -> new ArrayList<>())
        .add(
            new Message.Assignment(
                attempt.id, task.shard, job.spec.demand().resources(), placed.version()));
  }

  private void dispatch(DispatchKey key, List<Message.Assignment> all) {
    int most = Message.Assign.MAXIMUM_ASSIGNMENTS;
    for (int from = 0; from < all.size(); from += most) {
      List<Message.Assignment> some = all.subList(from, Math.min(all.size(), from + most));
      Task first = key.job().task(some.get(0).attempt().task().index()).orElseThrow();
      effects.add(
          new SchedulerEffect.Dispatch(
              key.node(),
              key.boot(),
              key.job().id,
              key.job().spec,
              key.job().commandOf(first),
              key.job().files,
              key.job().shards(),
              List.copyOf(some)));
    }
  }

  private void dispatched(SchedulerEvent.Dispatched event, Instant now) {
    if (event.answer() instanceof Message.Assigned assigned) {
      for (Message.Refused refused : assigned.refused()) {
        refused(refused.attempt(), refused.fault(), now);
      }
    } else if (event.answer() instanceof Message.Failed failed) {
      boolean unknown = failed.fault().code().startsWith("peer.");
      for (AttemptId id : event.attempts()) {
        Attempt attempt = running.get(id);
        if (attempt != null && unknown) {
          withdraw(attempt, "lost", Optional.of(failed.fault()), now);
          retry(attempt, now, now);
        } else {
          refused(id, failed.fault(), now);
        }
      }
    }
  }

  /** The node does not start an attempt (B8): it never held anything there. */
  private void refused(AttemptId id, Fault fault, Instant now) {
    Attempt attempt = running.get(id);
    if (attempt == null) {
      return;
    }
    finish(attempt, "refused", Optional.of(fault), now);
    if (fault.retry()) {
      retry(attempt, now.plus(settings.retryWait()), now);
    } else {
      failure(attempt, fault, now);
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
        if (withdrawn.ended(status.attempt())) {
          release(List.of(status.attempt()));
        }
      } else {
        withdrawn.named(status.attempt(), now);
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
      finish(attempt, "failed", Optional.of(failed.fault()), now);
      attempt.fail(failed, now);
      failure(attempt, failed.fault(), now);
    } else if (outcome instanceof Outcome.Stopped stopped) {
      finish(attempt, "stopped", lost(stopped.reason()), now);
      retry(attempt, now, now);
    } else {
      throw new IllegalStateException("a result inside a message must be stored first");
    }
  }

  private void succeed(Attempt attempt, ContentId result, Instant now) {
    Job job = jobOf(attempt);
    Task task = taskOf(attempt);
    running.remove(attempt.id);
    attempt.end("succeeded", Optional.empty(), now);
    release(List.of(attempt.id));
    task.done(result);
    job.over(task, attempt, true);
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
    if (task.tries() < MAXIMUM_TRIES) {
      job.requeue(task, notBefore);
      return;
    }
    job.failed(task);
    Fault fault =
        new Fault(
            "task.tries",
            Fault.Category.EXTERNAL,
            "task " + task.index + " was tried " + MAXIMUM_TRIES + " times without an outcome",
            false);
    end(job, JobView.State.FAILED, Optional.of(fault), now);
  }

  /** The node has nothing of the attempt any more. */
  private void finish(Attempt attempt, String how, Optional<Fault> why, Instant now) {
    running.remove(attempt.id);
    attempt.end(how, why, now);
    release(List.of(attempt.id));
    Task task = taskOf(attempt);
    task.clear(TaskView.State.WAITING);
    jobOf(attempt).over(task, attempt, false);
  }

  /** The attempt does not count any more, but may still run. */
  private void withdraw(Attempt attempt, String how, Optional<Fault> why, Instant now) {
    running.remove(attempt.id);
    attempt.end(how, why, now);
    withdrawn.add(attempt, now);
    Task task = taskOf(attempt);
    task.clear(TaskView.State.WAITING);
    jobOf(attempt).over(task, attempt, false);
    effects.add(new SchedulerEffect.Cancel(attempt.node, List.of(attempt.id)));
  }

  private void nodeUp(Peer peer, Instant now) {
    Peer before = nodes.put(peer.id(), peer);
    if (before != null && before.boot() != peer.boot()) {
      loseNode(peer.id(), peer.boot(), "node has restarted", now);
    }
    refusedDemands.clear();
  }

  /** Whatever a node ran in another boot than this one is dead. */
  private void loseNode(NodeId node, long aliveBoot, String why, Instant now) {
    List<Attempt> dead =
        running.values().stream()
            .filter(attempt -> attempt.node.equals(node) && attempt.boot != aliveBoot)
            .toList();
    for (Attempt attempt : dead) {
      finish(attempt, "lost", lost(why), now);
      retry(attempt, now, now);
    }
    release(withdrawn.removeOf(node, aliveBoot));
  }

  private static Optional<Fault> lost(String why) {
    return Optional.of(new Fault("attempt.lost", Fault.Category.EXTERNAL, why, true));
  }

  private void release(List<AttemptId> attempts) {
    if (!attempts.isEmpty()) {
      effects.add(new SchedulerEffect.Release(attempts));
      refusedDemands.clear(); // there is room again
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
    return placing.size() + running.size() + withdrawn.size();
  }
}
