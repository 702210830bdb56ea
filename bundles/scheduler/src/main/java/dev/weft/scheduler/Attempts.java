package dev.weft.scheduler;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.core.message.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The attempts that count now: on which node each runs, and which have been silent for too long
 * (A7). Those with the same timeout are kept in the order in which they were heard, so whoever is
 * silent stands first, and nobody else is looked at.
 */
final class Attempts {
  private final Map<AttemptId, Attempt> running = new HashMap<>();
  private final Map<NodeId, Map<AttemptId, Attempt>> byNode = new TreeMap<>();
  private final Map<Duration, Map<AttemptId, Attempt>> byTimeout = new TreeMap<>();

  /** One has been dispatched. */
  void add(Attempt attempt) {
    running.put(attempt.id, attempt);
    byNode.computeIfAbsent(attempt.node, node -> new LinkedHashMap<>()).put(attempt.id, attempt);
    byTimeout
        .computeIfAbsent(attempt.timeout, key -> new LinkedHashMap<>())
        .put(attempt.id, attempt);
  }

  /** One does not count any more. */
  void remove(Attempt attempt) {
    running.remove(attempt.id);
    removeFrom(byNode, attempt.node, attempt);
    removeFrom(byTimeout, attempt.timeout, attempt);
  }

  private static <K> void removeFrom(
      Map<K, Map<AttemptId, Attempt>> groups, K key, Attempt attempt) {
    Map<AttemptId, Attempt> group = groups.get(key);
    if (group != null && group.remove(attempt.id) != null && group.isEmpty()) {
      groups.remove(key);
    }
  }

  /** Its node has told what it is doing. */
  void heard(Attempt attempt, Message.Phase phase, Instant now) {
    attempt.heard(phase, now);
    Map<AttemptId, Attempt> group = byTimeout.get(attempt.timeout);
    group.remove(attempt.id);
    group.put(attempt.id, attempt);
  }

  boolean contains(Attempt attempt) {
    return running.containsKey(attempt.id);
  }

  Optional<Attempt> find(AttemptId id) {
    return Optional.ofNullable(running.get(id));
  }

  /** The attempt, if it counts and was given to this node. */
  Optional<Attempt> find(NodeId node, AttemptId id) {
    return find(id).filter(attempt -> attempt.node.equals(node));
  }

  /** Those of a node, in the order in which they were dispatched. */
  List<Attempt> on(NodeId node) {
    return List.copyOf(byNode.getOrDefault(node, Map.of()).values());
  }

  /** All of them, in the order in which those of a node were dispatched. */
  List<Attempt> all() {
    List<Attempt> all = new ArrayList<>(running.size());
    byNode.values().forEach(some -> all.addAll(some.values()));
    return all;
  }

  /** Those of which nothing was heard for longer than their node may be silent. */
  List<Attempt> silent(Instant now) {
    List<Attempt> silent = new ArrayList<>();
    for (Map<AttemptId, Attempt> group : byTimeout.values()) {
      for (Attempt attempt : group.values()) {
        if (!attempt.isSilent(now)) {
          break;
        }
        silent.add(attempt);
      }
    }
    return silent;
  }

  int size() {
    return running.size();
  }
}
