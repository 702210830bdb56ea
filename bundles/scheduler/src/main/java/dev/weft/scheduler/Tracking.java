package dev.weft.scheduler;

import dev.weft.api.AttemptId;
import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import dev.weft.core.bus.Peer;
import dev.weft.core.job.DrainStatus;
import dev.weft.core.message.Message;
import dev.weft.core.message.Outcome;
import dev.weft.core.resources.Placement;
import dev.weft.scheduler.flow.AttemptStates.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What becomes of attempts (A7, A8, B7, B8). Only the current attempt's outcome counts, once (I2).
 * One that is not wanted any more is stopped at its node, and its placement is withdrawn; what its
 * node says is over is passed on to the resource manager, and nothing else is.
 */
final class Tracking {
  private final Function<AttemptId, Job> jobs;
  private final Ends ends;
  private final BufferPool pool;
  private final Leader leader;
  private final Leader.Waits waits;
  private final Effects effects;
  private final Attempts attempts = new Attempts();
  private final Map<NodeId, Peer> nodes = new HashMap<>();
  private final Drains drains = new Drains();
  private final Decisions decisions = new Decisions();

  /** Hears of jobs that are over. */
  interface Ends {
    /** A job has failed; what still runs of it is stopped. */
    void failed(Job job, Fault why, Instant now);

    /** A task has succeeded. */
    void succeeded(Job job, Task task);
  }

  /**
   * Follows attempts.
   *
   * @param jobs the job of an attempt that runs
   * @param ends hears of what ends
   * @param pool where tasks go that are tried again
   * @param leader who places them
   * @param waits how long what found no node rests
   * @param effects where to say what is to be done
   */
  Tracking(
      Function<AttemptId, Job> jobs,
      Ends ends,
      BufferPool pool,
      Leader leader,
      Leader.Waits waits,
      Effects effects) {
    this.jobs = jobs;
    this.ends = ends;
    this.pool = pool;
    this.leader = leader;
    this.waits = waits;
    this.effects = effects;
  }

  // To a node -----------------------------------------------------------------------------------

  /** The resource manager has answered. */
  void place(SchedulerEvent.Placements event, SchedulerSettings settings, Instant now) {
    boolean counts = leader.leads(event.from());
    leader.answered(event.question(), event.from());
    Dispatches dispatches = new Dispatches();
    Duration rest = waits.retry();
    for (Placement placement : event.placements()) {
      boolean asked = pool.isAsked(placement.attempt());
      if (placement instanceof Placement.Placed placed) {
        Optional<BufferPool.Injected> injected =
            counts && asked ? pool.placed(placed.attempt()) : Optional.empty();
        if (injected.isPresent()) {
          begin(injected.get(), placed, dispatches, settings, now);
        } else if (counts || !asked) {
          notWanted(event.from(), placed);
        } // else another leader is asked for it now
      } else if (counts && asked) {
        pool.refused(placement.attempt(), decisions.shared(placement.decision()), rest, now);
      }
    }
    dispatches.messages().forEach(effects::add);
  }

  /** Nobody asks for this any more: its job has ended, or the question was answered before. */
  private void notWanted(NodeId manager, Placement.Placed placed) {
    Optional<Attempt> running = attempts.find(placed.node(), placed.attempt());
    if (running.filter(attempt -> attempt.boot == placed.boot()).isPresent()) {
      return; // the same answer again
    }
    effects.withdrawAt(manager, placed.attempt());
    Optional.ofNullable(jobs.apply(placed.attempt()))
        .flatMap(job -> job.task(placed.attempt().task().index()))
        .ifPresent(task -> task.spend(placed.attempt()));
  }

  private void begin(
      BufferPool.Injected injected,
      Placement.Placed placed,
      Dispatches dispatches,
      SchedulerSettings settings,
      Instant now) {
    Job job = injected.job();
    Task task = injected.task();
    Peer node = nodes.get(placed.node());
    if (node == null || node.boot() != placed.boot() || drains.isDraining(placed.node())) {
      // Gone since it was chosen, or not yet known here.
      effects.withdraw(placed.attempt());
      task.spend(placed.attempt());
      pool.leave(job);
      pool.requeue(job, task, now.plus(waits.retry()), now);
      return;
    }
    Attempt attempt =
        new Attempt(
            placed,
            decisions.shared(placed.decision()),
            node.hostName(),
            settings.statusTimeout(),
            now);
    attempts.add(attempt);
    job.begin(task, attempt, now);
    pool.dispatched(injected);
    dispatches.add(job, task, placed);
  }

  /** A node has answered a dispatch. */
  void dispatched(SchedulerEvent.Dispatched event, Instant now) {
    if (event.answer() instanceof Message.Assigned assigned) {
      for (Message.Refused refused : assigned.refused()) {
        effects.over(event.node(), event.boot(), refused.attempt());
        drains.over(event.node(), refused.attempt());
        pool.released();
        refused(event.node(), refused.attempt(), refused.fault(), now);
      }
    } else if (event.answer() instanceof Message.Failed failed) {
      boolean unknown = failed.fault().code().startsWith("peer.");
      for (AttemptId id : event.attempts()) {
        Optional<Attempt> attempt = attempts.find(event.node(), id);
        if (attempt.isPresent() && unknown) {
          Task task = taskOf(attempt.get());
          task.avoid(event.node());
          withdraw(attempt.get(), Event.LOSE, Optional.of(failed.fault()), Job.Ending.FAILED, now);
          retry(attempt.get(), now, now);
        } else if (attempt.filter(sent -> !sent.isHeard()).isPresent()) {
          effects.withdraw(id);
          refused(event.node(), id, failed.fault(), now);
        } // else it runs: only another copy of the dispatch was not taken
      }
    }
  }

  /** The node does not start an attempt (B8). */
  private void refused(NodeId node, AttemptId id, Fault fault, Instant now) {
    Optional<Attempt> found = attempts.find(node, id);
    if (found.isEmpty()) {
      return;
    }
    Attempt attempt = found.get();
    Event how = attempt.isHeard() ? Event.LOSE : Event.REFUSE;
    remove(attempt, how, Optional.of(fault), Job.Ending.DROPPED, now);
    if (fault.retry()) {
      retry(attempt, now.plus(waits.retry()), now);
    } else {
      giveUp(attempt, fault, now);
    }
  }

  // What nodes tell -------------------------------------------------------------------------------

  /** A node tells how attempts are doing. */
  void status(SchedulerEvent.StatusArrived event, Instant now) {
    NodeId node = event.from().id();
    List<AttemptId> notCurrent = new ArrayList<>();
    for (Message.AttemptStatus status : event.attempts()) {
      Optional<Attempt> current = attempts.find(node, status.attempt());
      if (status.outcome().isPresent()) {
        effects.over(node, event.from().boot(), status.attempt());
        drains.over(node, status.attempt());
        pool.released();
        current.ifPresent(attempt -> outcome(attempt, status.outcome().get(), now));
      } else if (current.isPresent()) {
        attempts.heard(current.get(), status.phase(), now);
        jobOf(current.get()).changed = true;
      } else {
        notCurrent.add(status.attempt());
      }
    }
    effects.add(new SchedulerEffect.AnswerStatus(event.token(), notCurrent));
  }

  private void outcome(Attempt attempt, Outcome outcome, Instant now) {
    if (outcome instanceof Outcome.Succeeded succeeded
        && succeeded.result() instanceof Outcome.Result.Stored stored) {
      Job job = jobOf(attempt);
      Task task = taskOf(attempt);
      attempts.remove(attempt);
      attempt.succeed(now);
      task.done(stored.content());
      job.over(task, attempt, Job.Ending.DONE);
      pool.leave(job);
      ends.succeeded(job, task);
    } else if (outcome instanceof Outcome.Failed failed) {
      remove(attempt, Event.FAIL, Optional.of(failed.fault()), Job.Ending.FAILED, now);
      attempt.fail(failed);
      jobOf(attempt).keepErrorTail(attempt);
      failure(attempt, failed.fault(), now);
    } else if (outcome instanceof Outcome.Stopped stopped) {
      remove(attempt, Event.STOP, Faults.lost(stopped.reason()), Job.Ending.FAILED, now);
      retry(attempt, now, now);
    } else {
      throw new IllegalStateException("a result inside a message must be stored first");
    }
  }

  /** A node has confirmed that attempts hold nothing and never will. */
  void cancelled(SchedulerEvent.Cancelled event) {
    Peer node = nodes.get(event.node());
    if (node == null) {
      return;
    }
    for (AttemptId attempt : event.over()) {
      effects.over(event.node(), node.boot(), attempt);
      drains.over(event.node(), attempt);
      pool.released();
    }
  }

  /** A task's attempt failed by its own fault: it is tried again, or the job has failed. */
  private void failure(Attempt attempt, Fault fault, Instant now) {
    Job job = jobOf(attempt);
    Optional<Duration> wait =
        fault.retry() ? taskOf(attempt).failed(attempt.node, job.spec.retry()) : Optional.empty();
    if (wait.isPresent()) {
      retry(attempt, now.plus(wait.get()), now);
    } else {
      giveUp(attempt, fault, now);
    }
  }

  private void giveUp(Attempt attempt, Fault fault, Instant now) {
    Job job = jobOf(attempt);
    Task task = taskOf(attempt);
    job.failed(task);
    ends.failed(job, Faults.ofTask(job.nameOf(task), attempt, fault), now);
  }

  private void retry(Attempt attempt, Instant notBefore, Instant now) {
    Job job = jobOf(attempt);
    Task task = taskOf(attempt);
    Optional<Task.Abandoned> end = task.givenUp();
    if (end.isEmpty()) {
      pool.requeue(job, task, notBefore, now);
      return;
    }
    job.failed(task);
    ends.failed(job, Faults.abandoned(job.nameOf(task), end.get()), now);
  }

  /** The attempt does not count any more. */
  private void remove(
      Attempt attempt, Event how, Optional<Fault> why, Job.Ending ending, Instant now) {
    attempts.remove(attempt);
    attempt.end(how, why, now);
    Job job = jobOf(attempt);
    Task task = taskOf(attempt);
    task.retry();
    job.over(task, attempt, ending);
    pool.leave(job);
  }

  /** The attempt does not count any more, but may still run. */
  private void withdraw(
      Attempt attempt, Event how, Optional<Fault> why, Job.Ending ending, Instant now) {
    attempt.stop();
    remove(attempt, how, why, ending, now);
    effects.withdraw(attempt.id);
    effects.cancel(attempt.node, attempt.id);
  }

  /** The job of an attempt has ended. */
  void stop(Attempt attempt, Instant now) {
    withdraw(attempt, Event.CANCEL, Optional.empty(), Job.Ending.DROPPED, now);
  }

  // Time and nodes --------------------------------------------------------------------------------

  /** Lets time pass: attempts that are silent, drains whose deadline is over. */
  void tick(SchedulerSettings settings, Instant now) {
    for (Attempt attempt : attempts.silent(now)) {
      if (attempts.contains(attempt)) { // the job may have ended with the one before
        String why = "no status for " + attempt.timeout.toMillis() + " ms";
        taskOf(attempt).avoid(attempt.node);
        withdraw(attempt, Event.LOSE, Faults.lost(why), Job.Ending.FAILED, now);
        retry(attempt, now, now);
      }
    }
    drains
        .overdue(settings.statusTimeout(), now)
        .forEach((node, left) -> left.forEach(attempt -> drained(attempt, now)));
  }

  /**
   * The buffer pool is stalled (D3): withdraws assignments, and their tasks go back to the queue.
   *
   * @param all whether those are withdrawn of which something was heard
   * @return how many were withdrawn
   */
  int reset(boolean all, Instant now) {
    int withdrawn = 0;
    for (Attempt attempt : attempts.all()) {
      // The job may have ended with the one before.
      if (attempts.contains(attempt) && (all || attempt.isSilent(now))) {
        withdrawn++;
        Optional<Fault> why = Optional.of(Faults.withdrawn("nothing moved any more"));
        withdraw(attempt, Event.CANCEL, why, Job.Ending.DROPPED, now);
        retry(attempt, now, now);
      }
    }
    return withdrawn;
  }

  /** The deadline of a drain is over: an attempt that is left is tried elsewhere. */
  private void drained(Attempt attempt, Instant now) {
    if (!attempts.contains(attempt)) {
      effects.cancel(attempt.node, attempt.id); // not confirmed yet
      return;
    }
    drains.withdrawn(attempt.node);
    Optional<Fault> why = Optional.of(Faults.withdrawn("its node is drained"));
    withdraw(attempt, Event.CANCEL, why, Job.Ending.DROPPED, now);
    retry(attempt, now, now);
  }

  /** A node can be talked to, perhaps in another boot. */
  void nodeUp(Peer peer, Instant now) {
    Peer before = nodes.put(peer.id(), peer);
    if (before != null && before.boot() != peer.boot()) {
      drains.end(peer.id());
      lose(peer.id(), peer.boot(), "node has restarted", now);
    }
    pool.nodeCame();
  }

  /** A node is gone. */
  void nodeDown(SchedulerEvent.NodeDown down, Instant now) {
    NodeId node = down.peer().id();
    Peer known = nodes.get(node);
    if (known != null && known.boot() > down.peer().boot()) {
      return; // it is back already
    }
    nodes.remove(node);
    drains.end(node);
    lose(node, -1, "node is gone: " + down.reason().message(), now);
  }

  /** Whatever a node ran in another boot than this one is dead. */
  private void lose(NodeId node, long aliveBoot, String why, Instant now) {
    for (Attempt attempt : attempts.on(node)) {
      // The job may have ended with the one before.
      if (attempt.boot != aliveBoot && attempts.contains(attempt)) {
        taskOf(attempt).nodesLost++;
        // Another resource manager may still take the node for alive.
        effects.withdraw(attempt.id);
        remove(attempt, Event.LOSE, Faults.lost(why), Job.Ending.FAILED, now);
        retry(attempt, now, now);
      }
    }
  }

  /** An operator wants a node emptied. */
  void drain(NodeId node, Duration deadline, Instant now) {
    List<Drains.Left> running =
        attempts.on(node).stream()
            .map(attempt -> new Drains.Left(attempt, jobOf(attempt).spec.name()))
            .toList();
    drains.begin(node, deadline, running, now);
  }

  /** An operator wants a node used again. */
  void endDrain(NodeId node) {
    drains.end(node);
    pool.nodeCame();
  }

  Optional<DrainStatus> drain(NodeId node) {
    return drains.status(node);
  }

  private Job jobOf(Attempt attempt) {
    return jobs.apply(attempt.id);
  }

  private Task taskOf(Attempt attempt) {
    return jobOf(attempt).task(attempt.id.task().index()).orElseThrow();
  }
}
