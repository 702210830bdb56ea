package dev.weft.scheduler;

import dev.weft.api.AttemptId;
import dev.weft.api.Demand;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.core.resources.Placement.Decision;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Stands between the queues of the jobs and the nodes (D1): a fixed number of slots; a task takes
 * one when a node is asked for and gives it back when its attempt is over. Jobs of higher priority
 * go first; jobs of the same priority take turns. Used by the core's thread only.
 */
final class BufferPool {
  private final NavigableMap<Integer, Deque<Job>> active = new TreeMap<>(Comparator.reverseOrder());
  private final Map<AttemptId, Asked> asked = new HashMap<>();
  private final Map<Demand, Shared> gates = new HashMap<>();
  private long news;
  private boolean awake;

  /** A task that a node is asked for. */
  private record Asked(Job job, Task task, long news) {}

  /** A gate and how many jobs use it. */
  private static final class Shared {
    final Gate gate = new Gate();
    int jobs;
  }

  /** A job has tasks from now on. */
  void add(Job job) {
    Shared shared = gates.computeIfAbsent(job.spec.demand(), demand -> new Shared());
    shared.jobs++;
    job.gate = Optional.of(shared.gate);
    active.computeIfAbsent(job.spec.priority(), priority -> new ArrayDeque<>()).add(job);
    awake = true;
  }

  /** A job has ended; what is asked for it stays until it is answered. */
  void remove(Job job) {
    Deque<Job> same = active.get(job.spec.priority());
    if (same == null || !same.remove(job)) {
      return; // it was never cut
    }
    if (same.isEmpty()) {
      active.remove(job.spec.priority());
    }
    Shared shared = gates.get(job.spec.demand());
    if (--shared.jobs == 0) {
      gates.remove(job.spec.demand());
    }
  }

  /** Number of tasks that a node is asked for. */
  int asked() {
    return asked.size();
  }

  /** Whether a node is asked for this attempt. */
  boolean isAsked(AttemptId attempt) {
    return asked.containsKey(attempt);
  }

  /** Those of what is asked that somebody still wants; the others need no answer any more. */
  List<Request> wanted(List<Request> requests) {
    List<Request> wanted = new ArrayList<>();
    for (Request request : requests) {
      Asked was = asked.get(request.attempt());
      if (was != null && was.job().isEnded()) {
        asked.remove(request.attempt());
        was.job().gate.orElseThrow().drop();
        awake = true;
      } else if (was != null) {
        wanted.add(request);
      }
    }
    return wanted;
  }

  /** Tasks may be injected that could not before. */
  void wake() {
    awake = true;
  }

  /** Something was released. */
  void news() {
    news++;
    awake = true;
    gates.values().forEach(shared -> shared.gate.news());
  }

  /** A node came. */
  void open() {
    news++;
    awake = true;
    gates.values().forEach(shared -> shared.gate.open());
  }

  /**
   * One traversal: fills the empty slots from the queues.
   *
   * @param empty how many slots are empty
   * @return what to ask the resource manager for
   */
  List<Request> inject(int empty, Instant now) {
    if (!awake || empty <= 0) {
      return List.of();
    }
    awake = false;
    List<Request> requests = new ArrayList<>();
    for (Deque<Job> same : active.values()) {
      int passed = 0;
      while (requests.size() < empty && passed < same.size()) {
        Job job = same.poll(); // one task of each job in turn
        same.add(job);
        Optional<Request> request = next(job, now);
        passed = request.isPresent() ? 0 : passed + 1;
        request.ifPresent(requests::add);
      }
    }
    return requests;
  }

  private Optional<Request> next(Job job, Instant now) {
    Gate gate = job.gate.orElseThrow();
    if (gate.allowance(now) == 0) {
      return Optional.empty();
    }
    return job.poll(now)
        .map(
            task -> {
              AttemptId attempt = task.next(job.idOf(task));
              asked.put(attempt, new Asked(job, task, news));
              gate.ask();
              return new Request(
                  attempt, job.spec.demand(), OptionalLong.empty(), task.first(), task.last());
            });
  }

  /**
   * A node was found. Returns the task that it is for; empty if nobody asked or its job is over.
   */
  Optional<Task> placed(AttemptId attempt) {
    Asked was = asked.remove(attempt);
    awake = true;
    if (was == null) {
      return Optional.empty();
    }
    if (was.job().isEnded()) {
      was.job().gate.orElseThrow().drop();
      return Optional.empty();
    }
    was.job().gate.orElseThrow().placed();
    return Optional.of(was.task());
  }

  /** No node was found: the task goes back to its queue. */
  void refused(AttemptId attempt, Decision decision, SchedulerSettings settings, Instant now) {
    Asked was = asked.remove(attempt);
    awake = true;
    if (was == null) {
      return;
    }
    was.job().gate.orElseThrow().refused(decision, news > was.news(), settings.retryWait(), now);
    if (!was.job().isEnded()) {
      was.job().refuse(was.task(), decision);
    }
  }
}
