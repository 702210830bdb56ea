package dev.weft.scheduler;

import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.TaskId;
import dev.weft.api.job.Command;
import dev.weft.api.job.JobSpec;
import dev.weft.api.job.Merge;
import dev.weft.api.job.Shard;
import dev.weft.core.job.JobView;
import dev.weft.core.job.TaskView;
import dev.weft.core.message.Message.StagedFile;
import dev.weft.core.resources.Placement;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/** A job and its tasks. Used by the core's thread only; {@link #view} may leave it. */
final class Job {
  /** So many attempts of a job keep the end of their standard error; each has up to 4 KiB. */
  static final int MAXIMUM_ERROR_TAILS = 256;

  final JobId id;
  final JobSpec spec;
  final String submitter;
  JobView.Desired desired = JobView.Desired.RUN;
  JobView.State state = JobView.State.PENDING;
  List<StagedFile> files = List.of();
  String splitPolicy = "";
  boolean changed = true;

  /** How many tasks of its demand may be asked for; empty until it is cut. */
  Optional<Gate> gate = Optional.empty();

  private final Instant submitted;
  private Optional<Instant> started = Optional.empty();
  private Optional<Instant> ended = Optional.empty();
  private Optional<Fault> fault = Optional.empty();
  private Set<JobId> missing = Set.of();
  private List<Task> tasks = new ArrayList<>();
  private int shards;
  private final PriorityQueue<Task> ready =
      new PriorityQueue<>(Comparator.comparingInt(task -> task.index));
  private final PriorityQueue<Delayed> delayed =
      new PriorityQueue<>(
          Comparator.comparing(Delayed::until).thenComparing(delayed -> delayed.task().index));
  private final Map<NodeId, Share> nodes = new HashMap<>();
  private int running;
  private int done;
  private int failed;
  private final Deque<Attempt> withErrorTail = new ArrayDeque<>();

  /** A task that is not to be tried before a time. */
  private record Delayed(Instant until, Task task) {}

  /** What a node did for the job. */
  private static final class Share {
    final String name;
    int running;
    int done;
    int failed;

    Share(String name) {
      this.name = name;
    }
  }

  Job(JobId id, JobSpec spec, String submitter, Instant now) {
    this.id = id;
    this.spec = spec;
    this.submitter = submitter;
    this.submitted = now;
  }

  /** It waits for these jobs; if for none, it is being cut. */
  void waitsFor(Set<JobId> jobs) {
    missing = Set.copyOf(jobs);
    state = jobs.isEmpty() ? JobView.State.CONFIGURING : JobView.State.PENDING;
    changed = true;
  }

  void cut(List<Shard> cutShards, List<StagedFile> staged, String policy) {
    files = staged;
    splitPolicy = policy;
    shards = cutShards.size();
    tasks = new ArrayList<>(shards + 1);
    for (Shard shard : cutShards) {
      add(shard);
    }
    state = JobView.State.PENDING;
    changed = true;
  }

  /** Adds the merge task. */
  void addMerge(Shard shard) {
    add(shard);
    changed = true;
  }

  private void add(Shard shard) {
    Task task = new Task(tasks.size(), shard);
    tasks.add(task);
    ready.add(task);
  }

  int shards() {
    return shards;
  }

  Optional<Task> task(int index) {
    return index < tasks.size() ? Optional.of(tasks.get(index)) : Optional.empty();
  }

  List<Task> tasks() {
    return tasks;
  }

  TaskId idOf(Task task) {
    return new TaskId(id, task.index);
  }

  /** What to call a task in messages. */
  String nameOf(Task task) {
    return isMerge(task) ? "the merge task" : "task " + task.index;
  }

  boolean isMerge(Task task) {
    return task.index >= shards;
  }

  Command commandOf(int index) {
    return index >= shards ? ((Merge.Run) spec.merge()).command() : spec.command();
  }

  // The queue ---------------------------------------------------------------------------------

  /** Takes out the next task that may be tried now. */
  Optional<Task> poll(Instant now) {
    while (!delayed.isEmpty() && !delayed.peek().until().isAfter(now)) {
      ready.add(delayed.poll().task());
    }
    return Optional.ofNullable(ready.poll());
  }

  /** A task is to be tried again, not before a time. */
  void requeue(Task task, Instant notBefore) {
    task.clear(TaskView.State.WAITING);
    delayed.add(new Delayed(notBefore, task));
    changed = true;
  }

  void refuse(Task task, Placement.Decision decision) {
    task.refuse(decision);
    ready.add(task);
    changed = true;
  }

  // What happens to tasks ---------------------------------------------------------------------

  void begin(Task task, Attempt attempt, Instant now) {
    task.begin(attempt);
    if (started.isEmpty()) {
      started = Optional.of(now);
    }
    if (state == JobView.State.PENDING) {
      state = JobView.State.RUNNING;
    }
    running += isMerge(task) ? 0 : 1;
    share(attempt).running++;
    changed = true;
  }

  private Share share(Attempt attempt) {
    return nodes.computeIfAbsent(attempt.node, node -> new Share(attempt.nodeName));
  }

  /** How an attempt ended. */
  enum Ending {
    /** Its outcome counts. */
    DONE,
    /** It failed or was lost. */
    FAILED,
    /** It was refused or is not wanted any more. */
    DROPPED
  }

  /** The current attempt of a task is over. */
  void over(Task task, Attempt attempt, Ending how) {
    running -= isMerge(task) ? 0 : 1;
    Share share = share(attempt);
    share.running--;
    if (how == Ending.DONE) {
      share.done++;
      done += isMerge(task) ? 0 : 1;
    } else if (how == Ending.FAILED) {
      share.failed++;
    }
    changed = true;
  }

  /** Keeps the end of an attempt's standard error, and forgets the oldest of too many. */
  void keepErrorTail(Attempt attempt) {
    withErrorTail.add(attempt);
    if (withErrorTail.size() > MAXIMUM_ERROR_TAILS) {
      withErrorTail.poll().dropErrorTail();
    }
  }

  void failed(Task task) {
    task.clear(TaskView.State.FAILED);
    failed += isMerge(task) ? 0 : 1;
    changed = true;
  }

  boolean allShardsDone() {
    return done == shards;
  }

  void end(JobView.State how, Optional<Fault> why, Instant now) {
    state = how;
    fault = why;
    ended = Optional.of(now);
    ready.clear();
    delayed.clear();
    for (Task task : tasks) {
      if (task.state == TaskView.State.WAITING || task.state == TaskView.State.RUNNING) {
        task.clear(TaskView.State.CANCELLED);
      }
    }
    running = 0;
    nodes.values().forEach(share -> share.running = 0);
    changed = true;
  }

  /** How many tasks are not dispatched. */
  int waitingTasks() {
    return isEnded() ? 0 : shards - running - done - failed;
  }

  boolean isEnded() {
    return state.isFinal();
  }

  // What can be seen --------------------------------------------------------------------------

  /**
   * What it is now.
   *
   * @param answered whether there is a resource manager that answers
   */
  JobView view(boolean answered) {
    int waiting = waitingTasks();
    return new JobView(
        id,
        spec.name(),
        submitter,
        spec.needs(),
        desired,
        state,
        new JobView.Counts(shards, waiting, running, done, failed),
        spec.priority(),
        splitPolicy,
        submitted,
        started,
        ended,
        fault,
        spec.output(),
        nodes.entrySet().stream()
            .map(entry -> shareView(entry.getKey(), entry.getValue()))
            .sorted(
                Comparator.comparing(JobView.NodeShare::name)
                    .thenComparing(JobView.NodeShare::node))
            .toList(),
        waiting(answered));
  }

  /** Why the first task that waits does; nothing if a node is being asked for. */
  private Optional<JobView.Waiting> waiting(boolean answered) {
    if (isEnded()) {
      return Optional.empty();
    }
    if (!missing.isEmpty()) {
      return Optional.of(Reasons.dependency(missing));
    }
    Optional<Task> first =
        Optional.ofNullable(ready.peek())
            .or(() -> Optional.ofNullable(delayed.peek()).map(Delayed::task));
    if (!answered) {
      return first.map(task -> Reasons.manager(task.index));
    }
    return first.map(
        task ->
            gate.flatMap(Gate::refusal)
                .map(refusal -> Reasons.refused(task.index, refusal))
                .orElseGet(
                    () ->
                        ready.isEmpty() && task.tries() > 0
                            ? Reasons.backOff(task.index)
                            : Reasons.others(task.index)));
  }

  private static JobView.NodeShare shareView(NodeId node, Share share) {
    return new JobView.NodeShare(node, share.name, share.running, share.done, share.failed);
  }

  List<TaskView> taskViews() {
    boolean stopped = isEnded() && state != JobView.State.COMPLETED;
    JobView.Desired wanted = stopped ? JobView.Desired.STOP : desired;
    return tasks.stream().map(task -> task.view(idOf(task), isMerge(task), wanted)).toList();
  }
}
