package dev.weft.scheduler;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.core.job.DrainStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Nodes that are being emptied. A node is empty only when it has said of each attempt that it is
 * over; one that was withdrawn and may still run is left, and its node is told again.
 */
final class Drains {
  private final Map<NodeId, Drain> drains = new TreeMap<>();

  private static final class Drain {
    final Instant since;
    final Instant deadline;
    final NavigableMap<AttemptId, Left> left = new TreeMap<>();
    int ended;
    int withdrawn;
    Instant remind;

    Drain(Instant since, Instant deadline) {
      this.since = since;
      this.deadline = deadline;
      this.remind = deadline;
    }
  }

  /** An attempt and the name of its job. */
  record Left(Attempt attempt, String job) {}

  /** Begins to empty a node, or sets another deadline. */
  void begin(NodeId node, Duration patience, List<Left> running, Instant now) {
    Drain before = drains.get(node);
    Drain drain = new Drain(before == null ? now : before.since, now.plus(patience));
    if (before != null) {
      drain.left.putAll(before.left);
      drain.ended = before.ended;
      drain.withdrawn = before.withdrawn;
    }
    running.forEach(one -> drain.left.put(one.attempt().id, one));
    drains.put(node, drain);
  }

  boolean isDraining(NodeId node) {
    return drains.containsKey(node);
  }

  /** The node may be used again, or is gone. */
  void end(NodeId node) {
    drains.remove(node);
  }

  /** The node holds nothing of an attempt any more. */
  void over(NodeId node, AttemptId attempt) {
    Drain drain = drains.get(node);
    if (drain != null && drain.left.remove(attempt) != null) {
      drain.ended++;
    }
  }

  /** One that was left is tried elsewhere. */
  void withdrawn(NodeId node) {
    Optional.ofNullable(drains.get(node)).ifPresent(drain -> drain.withdrawn++);
  }

  /** What is still left after the deadline, by node; each is named again after {@code period}. */
  Map<NodeId, List<Attempt>> overdue(Duration period, Instant now) {
    Map<NodeId, List<Attempt>> overdue = new LinkedHashMap<>();
    drains.forEach(
        (node, drain) -> {
          if (!drain.left.isEmpty() && !drain.remind.isAfter(now)) {
            drain.remind = now.plus(period);
            List<Attempt> attempts = new ArrayList<>();
            drain.left.values().forEach(left -> attempts.add(left.attempt()));
            overdue.put(node, attempts);
          }
        });
    return overdue;
  }

  /** How far a drain is. */
  Optional<DrainStatus> status(NodeId node) {
    return Optional.ofNullable(drains.get(node))
        .map(
            drain ->
                new DrainStatus(
                    node,
                    drain.since,
                    drain.deadline,
                    drain.left.values().stream()
                        .map(
                            left ->
                                new DrainStatus.Left(
                                    left.attempt().id, left.job(), left.attempt().state()))
                        .toList(),
                    drain.ended,
                    drain.withdrawn));
  }
}
