package dev.weft.scheduler;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    final Duration timeout;
    Instant named;
    boolean heard;

    Entry(Attempt attempt, Instant now) {
      this.node = attempt.node;
      this.boot = attempt.boot;
      this.timeout = attempt.timeout;
      this.named = now;
    }

    boolean isSilent(Instant now) {
      return now.isAfter(named.plus(timeout));
    }
  }

  void add(Attempt attempt, Instant now) {
    entries.put(attempt.id, new Entry(attempt, now));
  }

  /** The node has heard that they are cancelled: it names those that it has from now on. */
  void heard(NodeId node, List<AttemptId> attempts, Instant now) {
    for (AttemptId attempt : attempts) {
      find(node, attempt)
          .ifPresent(
              entry -> {
                entry.heard = true;
                entry.named = now;
              });
    }
  }

  /** The node still runs it. */
  void named(NodeId node, AttemptId attempt, Instant now) {
    find(node, attempt).ifPresent(entry -> entry.named = now);
  }

  /** The node says that it ended or never began. Returns whether it was one of the node's. */
  boolean ended(NodeId node, AttemptId attempt) {
    return find(node, attempt).isPresent() && entries.remove(attempt) != null;
  }

  private Optional<Entry> find(NodeId node, AttemptId attempt) {
    return Optional.ofNullable(entries.get(attempt)).filter(entry -> entry.node.equals(node));
  }

  /** Takes out those of a node that is down or in another boot. */
  List<AttemptId> removeOf(NodeId node, long aliveBoot) {
    return removeIf((id, entry) -> entry.node.equals(node) && entry.boot != aliveBoot);
  }

  /** Takes out those that nobody has named for so long although the node has heard of them. */
  List<AttemptId> removeSilent(Instant now) {
    return removeIf((id, entry) -> entry.heard && entry.isSilent(now));
  }

  /** Those whose node has not heard of them for so long, by node, to be told again. */
  Map<NodeId, List<AttemptId>> unheard(Instant now) {
    Map<NodeId, List<AttemptId>> byNode = new HashMap<>();
    entries.forEach(
        (id, entry) -> {
          if (!entry.heard && entry.isSilent(now)) {
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
