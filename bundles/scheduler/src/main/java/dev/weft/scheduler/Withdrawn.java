package dev.weft.scheduler;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * Attempts that do not count any more but may still run, and so still hold their amount (B7): until
 * their node says that they ended, or is down, or has heard the cancellation and not named them for
 * a status timeout.
 */
final class Withdrawn {
  private final Map<AttemptId, Entry> entries = new HashMap<>();

  private static final class Entry {
    final NodeId node;
    final long boot;
    Instant named;
    boolean heard;

    Entry(Attempt attempt, Instant now) {
      this.node = attempt.node;
      this.boot = attempt.boot;
      this.named = now;
    }
  }

  void add(Attempt attempt, Instant now) {
    entries.put(attempt.id, new Entry(attempt, now));
  }

  /** The node has heard that they are cancelled. */
  void heard(List<AttemptId> attempts) {
    attempts.stream().map(entries::get).filter(e -> e != null).forEach(entry -> entry.heard = true);
  }

  /** The node still runs it. */
  void named(AttemptId attempt, Instant now) {
    Entry entry = entries.get(attempt);
    if (entry != null) {
      entry.named = now;
    }
  }

  /** The node says it ended. Returns whether it was one of these. */
  boolean ended(AttemptId attempt) {
    return entries.remove(attempt) != null;
  }

  /** Takes out those of a node that is down or in another boot. */
  List<AttemptId> removeOf(NodeId node, long aliveBoot) {
    return removeIf((id, entry) -> entry.node.equals(node) && entry.boot != aliveBoot);
  }

  /** Takes out those that nobody has named for so long although the node has heard of them. */
  List<AttemptId> removeSilent(Duration timeout, Instant now) {
    return removeIf((id, entry) -> entry.heard && now.isAfter(entry.named.plus(timeout)));
  }

  /** Those whose node has not heard of them for so long, by node, to be told again. */
  Map<NodeId, List<AttemptId>> unheard(Duration timeout, Instant now) {
    Map<NodeId, List<AttemptId>> byNode = new HashMap<>();
    entries.forEach(
        (id, entry) -> {
          if (!entry.heard && now.isAfter(entry.named.plus(timeout))) {
            entry.named = now;
            byNode.computeIfAbsent(entry.node, node -> new ArrayList<>()).add(id);
          }
        });
    return byNode;
  }

  int size() {
    return entries.size();
  }

  private List<AttemptId> removeIf(BiPredicate<AttemptId, Entry> condition) {
    List<AttemptId> removed = new ArrayList<>();
    entries
        .entrySet()
        .removeIf(
            entry -> {
              boolean remove = condition.test(entry.getKey(), entry.getValue());
              if (remove) {
                removed.add(entry.getKey());
              }
              return remove;
            });
    return removed;
  }
}
