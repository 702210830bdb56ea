package dev.weft.scheduler;

import dev.weft.api.AttemptId;
import dev.weft.api.ContentId;
import dev.weft.api.TaskId;
import dev.weft.api.job.Shard;
import dev.weft.core.job.TaskView;
import dev.weft.core.resources.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One piece of a job. Kept small: a job may have a million. */
final class Task {
  /** How often a task is tried, whatever the reasons. */
  static final int MAXIMUM_TRIES = 100;

  /** How many nodes may be lost while they run it: it may be what ends them. */
  static final int MAXIMUM_NODES_LOST = 10;

  /** Attempts that are remembered. */
  private static final int REMEMBERED = 16;

  final int index;
  final Shard shard;
  TaskView.State state = TaskView.State.WAITING;
  int failures;
  int nodesLost;
  private int lastNumber;
  private Attempt current;
  private ContentId result;
  private Placement.Decision refused;
  private List<Attempt> attempts = List.of();

  Task(int index, Shard shard) {
    this.index = index;
    this.shard = shard;
  }

  /** The attempt to ask a node for. */
  AttemptId next(TaskId id) {
    return new AttemptId(id, lastNumber + 1);
  }

  int tries() {
    return lastNumber;
  }

  /** Why it is not tried again; empty if it is. */
  Optional<String> givenUp() {
    if (nodesLost >= MAXIMUM_NODES_LOST) {
      return Optional.of("was running on a node that was lost, " + nodesLost + " times");
    }
    return lastNumber < MAXIMUM_TRIES
        ? Optional.empty()
        : Optional.of("was tried " + MAXIMUM_TRIES + " times without an outcome");
  }

  void begin(Attempt attempt) {
    lastNumber = attempt.id.number();
    current = attempt;
    refused = null;
    state = TaskView.State.RUNNING;
    List<Attempt> all = new ArrayList<>(attempts.size() + 1);
    all.addAll(attempts.size() < REMEMBERED ? attempts : attempts.subList(1, REMEMBERED));
    all.add(attempt);
    attempts = all;
  }

  /** The attempt that counts, if one runs. */
  Optional<Attempt> current() {
    return Optional.ofNullable(current);
  }

  Optional<Attempt> attempt(int number) {
    return attempts.stream().filter(attempt -> attempt.id.number() == number).findFirst();
  }

  /** No attempt counts any more. */
  void clear(TaskView.State next) {
    current = null;
    state = next;
  }

  void done(ContentId content) {
    result = content;
    clear(TaskView.State.DONE);
  }

  Optional<ContentId> result() {
    return Optional.ofNullable(result);
  }

  void refuse(Placement.Decision decision) {
    refused = decision;
  }

  Optional<Placement.Decision> refused() {
    return Optional.ofNullable(refused);
  }

  TaskView view(TaskId id, boolean merge) {
    return new TaskView(
        id,
        merge,
        describe(),
        state,
        Optional.ofNullable(refused),
        attempts.stream().map(Attempt::view).toList());
  }

  private String describe() {
    if (shard instanceof Shard.Content content) {
      return content.name() + ", " + content.content().length() + " bytes";
    }
    if (shard instanceof Shard.Numbers numbers) {
      return numbers.from() + " to " + numbers.to();
    }
    return "index " + index;
  }
}
