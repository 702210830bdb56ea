package dev.weft.scheduler;

import dev.weft.api.AttemptId;
import dev.weft.api.ContentId;
import dev.weft.api.NodeId;
import dev.weft.api.TaskId;
import dev.weft.api.job.RetryRules;
import dev.weft.api.job.Shard;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.core.job.JobView.Desired;
import dev.weft.core.job.TaskView;
import dev.weft.core.resources.Placement;
import dev.weft.scheduler.flow.TaskStates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
  int nodesLost;
  private TaskView.State state = TaskStates.TABLE.initial();
  private int triesOnSameNode;
  private int triesElsewhere;
  private int lastNumber;
  private int tries;
  private Optional<NodeId> first = Optional.empty();
  private List<NodeId> avoided = List.of();
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

  /** A node for it was found and is not used: its number is not used again. */
  void spend(AttemptId attempt) {
    lastNumber = Math.max(lastNumber, attempt.number());
  }

  /** Where it would rather be tried: on the node of {@link RetryRules}, and not where it failed. */
  Optional<NodeId> first() {
    return first;
  }

  /** Nodes to be tried last. */
  Set<NodeId> last() {
    if (avoided.isEmpty()) {
      return Set.of();
    }
    List<NodeId> others = new ArrayList<>(avoided);
    first.ifPresent(others::remove);
    return Set.copyOf(others);
  }

  int tries() {
    return tries;
  }

  /** Why it is not tried again; empty if it is. */
  Optional<Abandoned> givenUp() {
    if (nodesLost >= MAXIMUM_NODES_LOST) {
      return Optional.of(
          new Abandoned(
              Faults.NODES_LOST, "was running on a node that was lost, " + nodesLost + " times"));
    }
    return tries < MAXIMUM_TRIES
        ? Optional.empty()
        : Optional.of(
            new Abandoned(
                Faults.TRIES, "was tried " + MAXIMUM_TRIES + " times without an outcome"));
  }

  /**
   * Why a task is not tried again.
   *
   * @param code of the fault
   * @param reason what the task was, in plain words
   */
  record Abandoned(String code, String reason) {}

  /**
   * It failed on a node by its own fault. The tries on the same node come first, then those
   * elsewhere.
   *
   * @return how long to wait before it is tried again; empty if it has no tries left
   */
  Optional<Duration> failed(NodeId node, RetryRules rules) {
    avoid(node);
    if (triesOnSameNode < rules.sameNode()) {
      first = Optional.of(node);
      return Optional.of(rules.wait(triesOnSameNode++));
    }
    first = Optional.empty();
    return triesElsewhere < rules.otherNode()
        ? Optional.of(rules.wait(triesElsewhere++))
        : Optional.empty();
  }

  /** A node is to be tried last from now on. */
  void avoid(NodeId node) {
    if (avoided.contains(node)) {
      return;
    }
    int most = Request.MAXIMUM_LAST;
    List<NodeId> nodes = new ArrayList<>(avoided.size() + 1);
    nodes.addAll(avoided.size() < most ? avoided : avoided.subList(1, most));
    nodes.add(node);
    avoided = List.copyOf(nodes);
  }

  void begin(Attempt attempt) {
    lastNumber = attempt.id.number();
    tries++;
    current = attempt;
    refused = null;
    enter(TaskStates.Event.BEGIN);
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

  TaskView.State state() {
    return state;
  }

  private void enter(TaskStates.Event event) {
    state = TaskStates.TABLE.next(state, event);
  }

  /** Its attempt does not count any more. */
  void retry() {
    current = null;
    enter(TaskStates.Event.RETRY);
  }

  void done(ContentId content) {
    result = content;
    current = null;
    enter(TaskStates.Event.SUCCEED);
  }

  void giveUp() {
    enter(TaskStates.Event.GIVE_UP);
  }

  /** Its job is over; nothing happens to a task that is over too. */
  void cancel() {
    current = null;
    state = TaskStates.TABLE.find(state, TaskStates.Event.CANCEL).orElse(state);
  }

  Optional<ContentId> result() {
    return Optional.ofNullable(result);
  }

  void refuse(Placement.Decision decision) {
    refused = decision;
  }

  TaskView view(TaskId id, boolean merge, Desired desired) {
    return new TaskView(
        id,
        merge,
        describe(),
        desired,
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
