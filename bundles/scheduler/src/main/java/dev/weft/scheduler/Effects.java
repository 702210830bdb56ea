package dev.weft.scheduler;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What is to be done, gathered while one event is handled. What concerns many attempts goes out in
 * few messages; what gives resources back goes first, so that what is asked for then finds them.
 */
final class Effects {
  /** Most attempts in one message. */
  static final int MAXIMUM_ATTEMPTS = 128;

  private final Map<Said, List<AttemptId>> over = new LinkedHashMap<>();
  private final List<AttemptId> withdrawn = new ArrayList<>();
  private final Map<NodeId, List<AttemptId>> withdrawnAt = new LinkedHashMap<>();
  private final List<SchedulerEffect> others = new ArrayList<>();
  private final Map<NodeId, List<AttemptId>> cancels = new LinkedHashMap<>();

  private record Said(NodeId node, long boot) {}

  void add(SchedulerEffect effect) {
    others.add(effect);
  }

  /** A node has said in a boot of it that an attempt is over. */
  void over(NodeId node, long boot, AttemptId attempt) {
    over.computeIfAbsent(new Said(node, boot), key -> new ArrayList<>()).add(attempt);
  }

  /** A placement is not wanted any more; whoever leads is told. */
  void withdraw(AttemptId attempt) {
    withdrawn.add(attempt);
  }

  /** What a resource manager that need not lead any more has placed is not wanted. */
  void withdrawAt(NodeId manager, AttemptId attempt) {
    withdrawnAt.computeIfAbsent(manager, key -> new ArrayList<>()).add(attempt);
  }

  /** A node should stop an attempt at once. */
  void cancel(NodeId node, AttemptId attempt) {
    cancels.computeIfAbsent(node, key -> new ArrayList<>()).add(attempt);
  }

  /**
   * Takes out everything.
   *
   * @param leader who is told of what is over; while nobody leads nobody is, since a new leader
   *     learns it from the nodes
   */
  List<SchedulerEffect> take(Optional<NodeId> leader) {
    List<SchedulerEffect> all = new ArrayList<>();
    if (leader.isPresent()) {
      NodeId manager = leader.get();
      over.forEach(
          (said, attempts) ->
              cut(
                  attempts,
                  some ->
                      all.add(new SchedulerEffect.Over(manager, said.node(), said.boot(), some))));
      cut(withdrawn, some -> all.add(new SchedulerEffect.Withdraw(manager, some)));
    }
    withdrawnAt.forEach(
        (manager, attempts) ->
            cut(attempts, some -> all.add(new SchedulerEffect.Withdraw(manager, some))));
    all.addAll(others);
    cancels.forEach(
        (node, attempts) -> cut(attempts, some -> all.add(new SchedulerEffect.Cancel(node, some))));
    over.clear();
    withdrawn.clear();
    withdrawnAt.clear();
    others.clear();
    cancels.clear();
    return all;
  }

  private static void cut(List<AttemptId> all, Consumer<List<AttemptId>> message) {
    for (int from = 0; from < all.size(); from += MAXIMUM_ATTEMPTS) {
      int to = Math.min(all.size(), from + MAXIMUM_ATTEMPTS);
      message.accept(List.copyOf(all.subList(from, to)));
    }
  }
}
