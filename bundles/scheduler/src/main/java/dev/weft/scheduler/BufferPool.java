package dev.weft.scheduler;

import dev.weft.api.AttemptId;
import dev.weft.api.Demand;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.core.job.BufferStatus;
import dev.weft.core.resources.Placement.Decision;
import dev.weft.scheduler.flow.AdaptiveSize;
import dev.weft.scheduler.flow.BufferRules;
import dev.weft.scheduler.flow.FairQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Stands between the queues of the jobs and the nodes (D): a task takes a slot when a node is asked
 * for, and gives it back when none is found or its attempt does not count any more. How many slots
 * there are, {@link AdaptiveSize} says; whose tasks fill them, {@link FairQueue}. Used by the
 * core's thread only.
 */
final class BufferPool {
  private final AdaptiveSize size;
  private final FairQueue<Job> queue = new FairQueue<>();
  private final Map<AttemptId, Injected> asked = new HashMap<>();
  private final Map<Kind, Shared> gates = new HashMap<>();
  private final Set<Job> resting = new LinkedHashSet<>();
  private final News news = new News();
  private int occupied;
  private long waiting;
  private long gangs;
  private boolean awake;

  /**
   * A task that a node is asked for.
   *
   * @param newsWhenAsked how many news there were then
   */
  record Injected(Job job, Task task, AdaptiveSize.Traversal traversal, long newsWhenAsked) {}

  /** Tasks that find a node or do not find one together. */
  private record Kind(Demand demand, int gang) {
    static Kind of(Job job) {
      return new Kind(job.spec.demand(), job.spec.gang() ? job.shards() : 1);
    }
  }

  /** A gate and how many jobs use it. */
  private static final class Shared {
    final Gate gate;
    int jobs;

    Shared(Gate gate) {
      this.gate = gate;
    }
  }

  BufferPool(BufferRules rules, Instant now) {
    size = new AdaptiveSize(rules, now);
  }

  void configure(BufferRules rules, Instant now) {
    size.configure(rules, now);
    awake = true;
  }

  // Jobs and their queues -------------------------------------------------------------------------

  /** A job has tasks from now on. */
  void add(Job job) {
    Shared shared = gates.computeIfAbsent(Kind.of(job), kind -> new Shared(new Gate(news)));
    shared.jobs++;
    job.gate = Optional.of(shared.gate);
    queue.add(job, job.spec.priority(), job.submitter);
    changed(job);
  }

  /** A job has ended; what is asked for it keeps its slots until it is answered. */
  void remove(Job job) {
    resting.remove(job);
    if (!queue.remove(job)) {
      return; // it was never cut
    }
    waiting -= job.counted;
    job.counted = 0;
    Shared shared = gates.get(Kind.of(job));
    if (--shared.jobs == 0) {
      gates.remove(Kind.of(job));
    }
  }

  /** A job has more tasks that may be injected. */
  void changed(Job job) {
    count(job);
    awake = true;
  }

  private void count(Job job) {
    if (job.isEnded()) {
      return;
    }
    int injectable = job.isAtLimit() ? 0 : job.queue.ready();
    waiting += injectable - job.counted;
    job.counted = injectable;
    if (job.queue.hasResting()) {
      resting.add(job);
    }
  }

  /** A task is to be tried again, not before a time; its slot is empty already. */
  void requeue(Job job, Task task, Instant notBefore, Instant now) {
    job.requeue(task, notBefore, now);
    changed(job);
  }

  /** Lets time pass. */
  void tick(Instant now) {
    awake = true;
    for (Job job : List.copyOf(resting)) {
      job.queue.ripen(now);
      if (!job.queue.hasResting()) {
        resting.remove(job);
      }
      changed(job);
    }
  }

  // Slots -----------------------------------------------------------------------------------------

  /** p: how many slots are taken. */
  int occupied() {
    return occupied;
  }

  /** The attempt of a task does not count any more: its slot is empty. */
  void leave(Job job) {
    occupied--;
    job.inPool--;
    queue.use(job.submitter, -1);
    changed(job);
  }

  /** Whether a node is asked for this attempt. */
  boolean isAsked(AttemptId attempt) {
    return asked.containsKey(attempt);
  }

  /** Those of what is asked that somebody still wants; the others need no answer any more. */
  List<Request> wanted(List<Request> requests) {
    List<Request> wanted = new ArrayList<>();
    for (Request request : requests) {
      Injected was = asked.get(request.attempt());
      if (was != null && was.job().isEnded()) {
        asked.remove(request.attempt());
        drop(was);
      } else if (was != null) {
        wanted.add(request);
      }
    }
    return wanted;
  }

  private void drop(Injected was) {
    was.job().gate.orElseThrow().drop();
    leave(was.job());
  }

  /** Something was released. */
  void released() {
    news.released();
    awake = true;
  }

  /** A node came. */
  void nodeCame() {
    news.nodeCame();
    awake = true;
  }

  /**
   * One traversal, if there is room for it: fills the empty slots from the queues (D1).
   *
   * @return what to ask the resource manager for
   */
  List<Request> inject(Instant now) {
    int room = size.room(occupied);
    if (!awake || room == 0) {
      return List.of();
    }
    awake = false;
    AdaptiveSize.Traversal traversal = size.traverse();
    return queue.traverse(room, job -> next(job, traversal, now));
  }

  private List<Request> next(Job job, AdaptiveSize.Traversal traversal, Instant now) {
    if (job.gate.orElseThrow().allowance(now) == 0 || job.isAtLimit()) {
      return List.of();
    }
    List<Task> tasks = job.spec.gang() ? job.queue.pollAll() : job.queue.poll().stream().toList();
    if (tasks.isEmpty()) {
      return List.of();
    }
    OptionalLong gang = tasks.size() > 1 ? OptionalLong.of(++gangs) : OptionalLong.empty();
    List<Request> requests = new ArrayList<>(tasks.size());
    for (Task task : tasks) {
      AttemptId attempt = task.next(job.idOf(task));
      asked.put(attempt, new Injected(job, task, traversal, news.count()));
      requests.add(new Request(attempt, job.spec.demand(), gang, task.first(), task.last()));
    }
    job.gate.orElseThrow().ask(tasks.size());
    job.inPool += tasks.size();
    occupied += tasks.size();
    count(job);
    return requests;
  }

  /**
   * A node was found; the slot stays taken. Returns what it is for; empty if nobody asked or its
   * job is over.
   */
  Optional<Injected> placed(AttemptId attempt) {
    Injected was = asked.remove(attempt);
    if (was == null) {
      return Optional.empty();
    }
    awake = true; // the gate is wider
    if (was.job().isEnded()) {
      drop(was);
      return Optional.empty();
    }
    was.job().gate.orElseThrow().placed();
    return Optional.of(was);
  }

  /** What was injected is on its way to a node. */
  void dispatched(Injected injected) {
    size.dispatched(injected.traversal());
  }

  /** No node was found: the slot is empty, the task rests for T1 (D4). */
  void refused(AttemptId attempt, Decision decision, Duration retryWait, Instant now) {
    Injected was = asked.remove(attempt);
    if (was == null) {
      return;
    }
    Job job = was.job();
    size.placementFailed();
    job.gate.orElseThrow().refused(decision, was.newsWhenAsked(), retryWait, now);
    leave(job);
    if (!job.isEnded()) {
      was.task().refuse(decision);
      requeue(job, was.task(), now.plus(retryWait), now);
    }
  }

  // Its size --------------------------------------------------------------------------------------

  /** To be called after each event, when what it led to is done. */
  void observe(Instant now) {
    size.observe(occupied, waiting, now);
  }

  /** Whether it is stalled (D3). */
  boolean isStalled(Instant now) {
    return size.isStalled(now);
  }

  /** It was reset. */
  void reset(int withdrawn, Instant now) {
    size.reset(withdrawn, now);
  }

  /**
   * All of it, to be shown.
   *
   * @param queued tasks that wait outside of it
   */
  BufferStatus status(long queued) {
    return size.status(queued, queue.slots(BufferStatus.MAXIMUM_SHARES));
  }
}
