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
import dev.weft.scheduler.flow.JobStates;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A job and its tasks. Used by the core's thread only; {@link #view} may leave it. */
final class Job {
  /** So many attempts of a job keep the end of their standard error; each has up to 4 KiB. */
  static final int MAXIMUM_ERROR_TAILS = 256;

  final JobId id;
  final JobSpec spec;
  final String submitter;
  JobView.Desired desired = JobView.Desired.RUN;
  final TaskQueue queue = new TaskQueue();
  List<StagedFile> files = List.of();
  String splitPolicy = "";
  boolean changed = true;

  /** How many tasks of its demand may be asked for; empty until it is cut. */
  Optional<Gate> gate = Optional.empty();

  /** How many tasks of it are in the buffer pool. */
  int inPool;

  /** How many tasks of it the buffer pool counts as waiting. */
  int counted;

  private JobView.State state = JobStates.TABLE.initial();

  private final Instant submitted;
  private Optional<Instant> started = Optional.empty();
  private Optional<Instant> ended = Optional.empty();
  private Optional<Fault> fault = Optional.empty();
  private Set<JobId> missing = Set.of();
  private List<Task> tasks = new ArrayList<>();
  private int shards;
  private final Map<NodeId, Share> nodes = new HashMap<>();
  private int running;
  private int done;
  private int failed;
  private final Deque<Attempt> withErrorTail = new ArrayDeque<>();

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
    if (jobs.isEmpty()) {
      enter(JobStates.Event.CONFIGURE);
    }
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
    enter(JobStates.Event.CUT);
  }

  /** Adds the merge task. */
  void addMerge(Shard shard) {
    add(shard);
    changed = true;
  }

  private void add(Shard shard) {
    Task task = new Task(tasks.size(), shard);
    tasks.add(task);
    queue.add(task);
  }

  private void enter(JobStates.Event event) {
    state = JobStates.TABLE.next(state, event);
    changed = true;
  }

  JobView.State state() {
    return state;
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

  /** A task is to be tried again, not before a time. */
  void requeue(Task task, Instant notBefore, Instant now) {
    if (notBefore.isAfter(now)) {
      queue.rest(task, notBefore);
    } else {
      queue.add(task);
    }
    changed = true;
  }

  /** Whether as many of its tasks are in the buffer pool as may be. */
  boolean isAtLimit() {
    return spec.parallel().isPresent() && inPool >= spec.parallel().getAsInt();
  }

  // What happens to tasks ---------------------------------------------------------------------

  void begin(Task task, Attempt attempt, Instant now) {
    task.begin(attempt);
    if (started.isEmpty()) {
      started = Optional.of(now);
    }
    enter(JobStates.Event.BEGIN);
    running += isMerge(task) ? 0 : 1;
    share(attempt).running++;
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
    task.giveUp();
    failed += isMerge(task) ? 0 : 1;
    changed = true;
  }

  boolean allShardsDone() {
    return done == shards;
  }

  /** Its tasks are done. */
  void complete() {
    enter(JobStates.Event.MERGE);
  }

  void end(JobStates.Event how, Optional<Fault> why, Instant now) {
    enter(how);
    fault = why;
    ended = Optional.of(now);
    queue.clear();
    tasks.forEach(Task::cancel);
    running = 0;
    nodes.values().forEach(share -> share.running = 0);
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
    return queue.first().map(task -> waiting(task, answered));
  }

  private JobView.Waiting waiting(Task task, boolean answered) {
    if (!answered) {
      return Reasons.manager(task.index);
    }
    if (isAtLimit()) {
      return Reasons.parallel(task.index, inPool);
    }
    Optional<Placement.Decision> refusal = gate.flatMap(Gate::refusal);
    if (refusal.isPresent()) {
      return Reasons.refused(task.index, refusal.get());
    }
    return queue.ready() == 0 && task.tries() > 0
        ? Reasons.backOff(task.index)
        : Reasons.others(task.index);
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
