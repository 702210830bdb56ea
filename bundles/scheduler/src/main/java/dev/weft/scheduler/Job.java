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

/** A job and its tasks. Used by the core's thread only; {@link #view} may leave it. */
final class Job {
  final JobId id;
  final JobSpec spec;
  JobView.Desired desired = JobView.Desired.RUN;
  JobView.State state = JobView.State.CONFIGURING;
  List<StagedFile> files = List.of();
  String splitPolicy = "";
  boolean changed = true;
  private final Instant submitted;
  private Optional<Instant> started = Optional.empty();
  private Optional<Instant> ended = Optional.empty();
  private Optional<Fault> fault = Optional.empty();
  private List<Task> tasks = new ArrayList<>();
  private int shards;
  private final Deque<Task> ready = new ArrayDeque<>();
  private final PriorityQueue<Delayed> delayed =
      new PriorityQueue<>(
          Comparator.comparing(Delayed::until).thenComparing(delayed -> delayed.task().index));
  private final Map<NodeId, Share> nodes = new HashMap<>();
  private int running;
  private int done;
  private int failed;
  private Optional<Task> refused = Optional.empty();

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

  Job(JobId id, JobSpec spec, Instant now) {
    this.id = id;
    this.spec = spec;
    this.submitted = now;
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

  boolean isMerge(Task task) {
    return task.index >= shards;
  }

  Command commandOf(Task task) {
    return isMerge(task) ? ((Merge.Run) spec.merge()).command() : spec.command();
  }

  // The queue ---------------------------------------------------------------------------------

  /** Takes out the next task that may be tried now. */
  Optional<Task> poll(Instant now) {
    while (!delayed.isEmpty() && !delayed.peek().until().isAfter(now)) {
      ready.add(delayed.poll().task());
    }
    return Optional.ofNullable(ready.poll());
  }

  /** A task is to be tried again at once, before others. */
  void requeueFirst(Task task) {
    ready.addFirst(task);
  }

  /** A task is to be tried again, not before a time. */
  void requeue(Task task, Instant notBefore) {
    task.clear(TaskView.State.WAITING);
    delayed.add(new Delayed(notBefore, task));
    changed = true;
  }

  void refuse(Task task, Placement.Decision decision) {
    task.refuse(decision);
    refused = Optional.of(task);
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
    if (refused.equals(Optional.of(task))) {
      refused = Optional.empty();
    }
    changed = true;
  }

  private Share share(Attempt attempt) {
    return nodes.computeIfAbsent(attempt.node, node -> new Share(attempt.nodeName));
  }

  /** The current attempt of a task is over, well or not. */
  void over(Task task, Attempt attempt, boolean success) {
    running -= isMerge(task) ? 0 : 1;
    Share share = share(attempt);
    share.running--;
    if (success) {
      share.done++;
      done += isMerge(task) ? 0 : 1;
    } else {
      share.failed++;
    }
    changed = true;
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
    refused = Optional.empty();
    for (Task task : tasks) {
      if (task.state == TaskView.State.WAITING || task.state == TaskView.State.RUNNING) {
        task.clear(TaskView.State.CANCELLED);
      }
    }
    running = 0;
    nodes.values().forEach(share -> share.running = 0);
    changed = true;
  }

  boolean isEnded() {
    return state.isFinal();
  }

  // What can be seen --------------------------------------------------------------------------

  JobView view() {
    int waiting = isEnded() ? 0 : shards - running - done - failed;
    return new JobView(
        id,
        spec.name(),
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
        refused.flatMap(
            task ->
                task.refused()
                    .map(
                        decision ->
                            new JobView.Waiting(
                                task.index, decision.reason(), decision.refusals()))));
  }

  private static JobView.NodeShare shareView(NodeId node, Share share) {
    return new JobView.NodeShare(node, share.name, share.running, share.done, share.failed);
  }

  List<TaskView> taskViews() {
    return tasks.stream().map(task -> task.view(idOf(task), isMerge(task))).toList();
  }
}
