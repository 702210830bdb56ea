package dev.weft.scheduler;

import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.job.JobSpec;
import dev.weft.api.job.Merge;
import dev.weft.api.job.Shard;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.core.job.BufferStatus;
import dev.weft.core.job.DrainStatus;
import dev.weft.core.job.JobView;
import dev.weft.core.job.TaskView;
import dev.weft.scheduler.flow.BufferRules.Withdraw;
import dev.weft.scheduler.flow.JobStates;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The task scheduler's mind: jobs and their dependencies, their tasks, the buffer pool, the
 * resource manager that leads, attempts and their outcomes (A2 to A8, D). Plain state and rules,
 * one thread at a time; the time and the randomness are arguments.
 *
 * <p>A task goes: waiting, placing, running, done; whatever goes wrong with an attempt brings it
 * back to waiting.
 */
public final class SchedulerCore {
  /** Most tasks of jobs that have not ended. */
  static final int MAXIMUM_TASKS = 2 * JobSpec.MAXIMUM_TASKS;

  /** Most tasks of ended jobs that are remembered, but those of the last job always are. */
  static final int MAXIMUM_ENDED_TASKS = JobSpec.MAXIMUM_TASKS;

  /** T1 is drawn anew each time: as it is set, or longer by up to this share of it (A4). */
  static final double JITTER = 0.25;

  private SchedulerSettings settings;
  private final RandomGenerator random;
  private final Map<JobId, Job> jobs = new LinkedHashMap<>();
  private final Dependencies dependencies = new Dependencies();
  private final Deque<Job> justEnded = new ArrayDeque<>();
  private final Effects effects = new Effects();
  private final BufferPool pool;
  private final Leader leader;
  private final Tracking tracking;
  private boolean answered;

  /**
   * A scheduler without jobs, that knows no resource manager.
   *
   * @param random its only source of randomness
   */
  public SchedulerCore(SchedulerSettings settings, RandomGenerator random, Instant now) {
    this.settings = Objects.requireNonNull(settings, "settings");
    this.random = Objects.requireNonNull(random, "random");
    Waits waits = new Waits();
    pool = new BufferPool(settings.buffer(), now);
    leader = new Leader(waits, pool::wanted, effects::add);
    tracking =
        new Tracking(
            attempt -> jobs.get(attempt.task().job()), new Ends(), pool, leader, waits, effects);
  }

  private final class Waits implements Leader.Waits {
    @Override
    public Duration retry() {
      double millis = settings.retryWait().toMillis() * (1 + JITTER * random.nextDouble());
      return Duration.ofMillis((long) millis);
    }

    @Override
    public Duration answer() {
      return settings.answerTimeout();
    }
  }

  /** New settings, from now on. */
  public void configure(SchedulerSettings newSettings, Instant now) {
    settings = newSettings;
    pool.configure(settings.buffer(), now);
  }

  /** The settings now. */
  public SchedulerSettings settings() {
    return settings;
  }

  /** Takes in an event; returns what is to be done. */
  public List<SchedulerEffect> handle(SchedulerEvent event, Instant now) {
    if (event instanceof SchedulerEvent.StatusArrived status) {
      tracking.status(status, now);
    } else if (event instanceof SchedulerEvent.Placements placements) {
      tracking.place(placements, settings, now);
    } else if (event instanceof SchedulerEvent.Dispatched dispatched) {
      tracking.dispatched(dispatched, now);
    } else if (event instanceof SchedulerEvent.Cancelled cancelled) {
      tracking.cancelled(cancelled);
    } else if (event instanceof SchedulerEvent.NodeUp up) {
      tracking.nodeUp(up.peer(), now);
    } else if (event instanceof SchedulerEvent.NodeDown down) {
      tracking.nodeDown(down, now);
    } else if (event instanceof SchedulerEvent.DrainAsked asked) {
      tracking.drain(asked.node(), asked.deadline(), now);
    } else if (event instanceof SchedulerEvent.DrainEnded ended) {
      tracking.endDrain(ended.node());
    } else if (event instanceof SchedulerEvent.Managers managers) {
      leader.managers(managers.managers(), managers.leader(), now);
    } else if (event instanceof SchedulerEvent.NotAnswered not) {
      leader.notAnswered(not.question(), not.fault(), now);
    } else if (event instanceof SchedulerEvent.Leading leading) {
      leader.leading(leading, now);
    } else {
      ofJob(event, now);
    }
    return done(now);
  }

  private void ofJob(SchedulerEvent event, Instant now) {
    if (event instanceof SchedulerEvent.Accepted accepted) {
      accept(accepted, now);
    } else if (event instanceof SchedulerEvent.Split split) {
      split(split, now);
    } else if (event instanceof SchedulerEvent.CancelAsked cancel) {
      cancel(cancel.job(), now);
    } else if (event instanceof SchedulerEvent.MergeOffered offered) {
      active(offered.job())
          .ifPresent(
              job -> {
                job.addMerge(new Shard.Content(offered.content(), "results"));
                pool.changed(job);
              });
    } else if (event instanceof SchedulerEvent.Delivered delivered) {
      active(delivered.job())
          .ifPresent(job -> end(job, JobStates.Event.DELIVER, Optional.empty(), now));
    } else if (event instanceof SchedulerEvent.NotDelivered not) {
      active(not.job())
          .ifPresent(job -> end(job, JobStates.Event.FAIL, Optional.of(not.fault()), now));
    }
  }

  /** Lets time pass: attempts that are silent, tasks whose wait is over. */
  public List<SchedulerEffect> tick(Instant now) {
    leader.tick(now);
    tracking.tick(settings, now);
    if (pool.isStalled(now)) {
      pool.reset(tracking.reset(settings.buffer().withdraw() == Withdraw.ALL, now), now);
    }
    forgetOldJobs();
    pool.tick(now);
    return done(now);
  }

  private List<SchedulerEffect> done(Instant now) {
    while (!justEnded.isEmpty()) {
      settle(justEnded.poll(), now);
    }
    if (leader.answers() != answered) {
      answered = leader.answers();
      pool.tick(now);
      jobs.values().stream().filter(job -> !job.isEnded()).forEach(job -> job.changed = true);
    }
    if (answered) {
      List<Request> requests = pool.inject(now);
      if (!requests.isEmpty()) {
        leader.ask(requests, now);
      }
    }
    pool.observe(now);
    return effects.take(leader.current());
  }

  // Jobs --------------------------------------------------------------------------------------

  private void accept(SchedulerEvent.Accepted event, Instant now) {
    Job job = new Job(event.job(), event.spec(), event.submitter(), now);
    List<JobId> missing = new ArrayList<>();
    Optional<Fault> wrong = Optional.empty();
    for (JobId id : event.spec().needs()) {
      Job needed = jobs.get(id);
      if (needed == null) {
        wrong = wrong.or(() -> Optional.of(Faults.unknownNeed(id)));
      } else if (!needed.isEnded()) {
        missing.add(id);
      } else if (needed.state() != JobView.State.COMPLETED) {
        wrong = wrong.or(() -> Optional.of(Faults.failedNeed(needed)));
      }
    }
    jobs.put(event.job(), job);
    dependencies.add(job.id, job.spec.needs(), missing);
    if (wrong.isPresent()) {
      fail(job, wrong.get(), now);
    } else {
      startIfReady(job);
    }
  }

  /** A job that waits for no other is cut now: its input may be the result of one that it needs. */
  private void startIfReady(Job job) {
    job.waitsFor(dependencies.missing(job.id));
    if (dependencies.missing(job.id).isEmpty()) {
      effects.add(new SchedulerEffect.Split(job.id, job.spec));
    }
  }

  /** A job has ended: those that need it go on, or have failed too. */
  private void settle(Job ended, Instant now) {
    if (ended.state() == JobView.State.COMPLETED) {
      List<JobId> waiting = dependencies.waitingFor(ended.id);
      dependencies.completed(ended.id);
      waiting.forEach(id -> startIfReady(jobs.get(id)));
    } else {
      for (JobId id : dependencies.waitingFor(ended.id)) {
        fail(jobs.get(id), Faults.failedNeed(ended), now);
      }
    }
  }

  private Optional<Job> active(JobId id) {
    return Optional.ofNullable(jobs.get(id)).filter(job -> !job.isEnded());
  }

  private void split(SchedulerEvent.Split event, Instant now) {
    Optional<Job> found = active(event.job());
    if (found.isEmpty()) {
      effects.add(new SchedulerEffect.ForgetStaging(event.job())); // cancelled meanwhile
      return;
    }
    Job job = found.get();
    if (event.result() instanceof JobSplitter.Result.Cut cut) {
      long tasks =
          jobs.values().stream().filter(other -> !other.isEnded()).mapToLong(Job::shards).sum();
      if (tasks + cut.shards().size() > MAXIMUM_TASKS) {
        fail(job, Faults.tooMany(cut.shards().size(), tasks, MAXIMUM_TASKS), now);
        return;
      }
      job.cut(cut.shards(), cut.files(), cut.policy());
      pool.add(job);
    } else if (event.result() instanceof JobSplitter.Result.NotCut not) {
      fail(job, not.fault(), now);
    }
  }

  private void cancel(JobId id, Instant now) {
    active(id)
        .ifPresent(
            job -> {
              job.desired = JobView.Desired.STOP;
              end(job, JobStates.Event.CANCEL, Optional.empty(), now);
            });
  }

  private void fail(Job job, Fault why, Instant now) {
    end(job, Faults.endOf(why), Optional.of(why), now);
  }

  /** A job is over: what still runs of it is stopped. */
  private void end(Job job, JobStates.Event how, Optional<Fault> why, Instant now) {
    for (Task task : job.tasks()) {
      task.current().ifPresent(attempt -> tracking.stop(attempt, now));
    }
    job.end(how, why, now);
    pool.remove(job);
    dependencies.ended(job.id, job.spec.needs());
    justEnded.add(job);
    effects.add(new SchedulerEffect.ForgetStaging(job.id)); // the merged result is not there
  }

  private final class Ends implements Tracking.Ends {
    @Override
    public void failed(Job job, Fault why, Instant now) {
      fail(job, why, now);
    }

    @Override
    public void succeeded(Job job, Task task) {
      if (job.isMerge(task)) {
        deliver(job, List.of(piece(job, task)));
      } else if (job.allShardsDone()) {
        job.complete();
        List<SchedulerEffect.Piece> results =
            job.tasks().stream().map(done -> piece(job, done)).toList();
        if (job.spec.merge() instanceof Merge.Run) {
          effects.add(new SchedulerEffect.OfferMerge(job.id, results));
        } else {
          deliver(job, results);
        }
      }
    }

    private SchedulerEffect.Piece piece(Job job, Task task) {
      return new SchedulerEffect.Piece(job.idOf(task), task.result().orElseThrow());
    }

    private void deliver(Job job, List<SchedulerEffect.Piece> results) {
      effects.add(new SchedulerEffect.Deliver(job.id, job.spec, results));
    }
  }

  /** Forgets the oldest jobs that have ended and were shown so, if there are too many. */
  private void forgetOldJobs() {
    List<Job> ended = jobs.values().stream().filter(Job::isEnded).toList();
    long tasks = ended.stream().mapToLong(Job::shards).sum();
    int kept = ended.size();
    for (Job oldest : ended.subList(0, Math.max(0, ended.size() - 1))) {
      boolean tooMany = kept > settings.jobsKept() || tasks > MAXIMUM_ENDED_TASKS;
      if (!tooMany || oldest.changed) {
        return;
      }
      if (!dependencies.isNeeded(oldest.id)) {
        jobs.remove(oldest.id);
        kept--;
        tasks -= oldest.shards();
        effects.add(new SchedulerEffect.ForgetJob(oldest.id));
      }
    }
  }

  // What can be asked -----------------------------------------------------------------------------

  Collection<Job> jobs() {
    return jobs.values();
  }

  Optional<Job> job(JobId id) {
    return Optional.ofNullable(jobs.get(id));
  }

  /** A job; empty if it is not known. */
  public Optional<JobView> view(JobId id) {
    return job(id).map(job -> job.view(answered));
  }

  /** Every job, in order of submission, that has changed since this was asked the last time. */
  public List<JobView> takeChanges() {
    List<JobView> changes = new ArrayList<>();
    for (Job job : jobs.values()) {
      if (job.changed) {
        job.changed = false;
        changes.add(job.view(answered));
      }
    }
    return changes;
  }

  /** Its tasks, in order of index. */
  public List<TaskView> tasks(JobId id) {
    return job(id).map(Job::taskViews).orElse(List.of());
  }

  /** How far the drain of a node is. */
  public Optional<DrainStatus> drain(NodeId node) {
    return tracking.drain(node);
  }

  /** The buffer pool now. */
  public BufferStatus buffer() {
    return pool.status(jobs.values().stream().mapToLong(job -> job.queue.size()).sum());
  }

  /** How many tasks a node is asked for, or run on one. */
  public int inFlight() {
    return pool.occupied();
  }
}
