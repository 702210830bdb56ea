package dev.weft.resources;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.policy.NodeView;
import dev.weft.core.message.Message;
import dev.weft.core.resources.NodeStatus;
import dev.weft.core.resources.NodeStatus.State;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the pool knows of one node. Used by the core's thread only; {@link #view} and {@link
 * #status} give values that may leave it.
 */
final class NodeEntry {
  private final NodeId id;
  private final Map<AttemptId, Resources> placements = new HashMap<>();
  private String name = "";
  private boolean up;
  private String downReason = "";
  private Instant downSince = Instant.EPOCH;
  private long boot;
  private long reportNumber;
  private boolean reported;
  private Resources offered = Resources.NONE;
  private Resources reportedFree = Resources.NONE;
  private Set<AttemptId> held = new HashSet<>();
  private Resources given = Resources.NONE;
  private long version;
  private SortedMap<String, String> labels = new TreeMap<>();
  private Inventory inventory = Inventory.EMPTY;
  private Instant reportedAt = Instant.EPOCH;

  NodeEntry(NodeId id) {
    this.id = id;
  }

  /** The node can be talked to, perhaps in a later boot. */
  void up(String hostName, long peerBoot) {
    name = hostName;
    up = true;
    if (peerBoot > boot) {
      restart(peerBoot);
    }
  }

  /** The node is gone: whatever it ran is dead, or will be told so when it comes back (B7). */
  void down(String why, Instant now) {
    up = false;
    reported = false;
    downReason = why;
    downSince = now;
    placements.clear();
    given = Resources.NONE;
  }

  /** Takes in a report unless a later one is known (B3). Returns whether it counts. */
  boolean report(Message.Report report, Instant now) {
    boolean later =
        report.boot() > boot || (report.boot() == boot && report.number() > reportNumber);
    if (!later || !up) {
      return false;
    }
    if (report.boot() > boot) {
      restart(report.boot());
    }
    reportNumber = report.number();
    reported = true;
    offered = report.offered();
    reportedFree = report.free();
    held = new HashSet<>(report.held());
    labels = report.labels();
    inventory = report.inventory();
    reportedAt = now;
    return true;
  }

  /** A restarted node has ended all that it ran before (B5). */
  private void restart(long newBoot) {
    boot = newBoot;
    reportNumber = 0;
    reported = false;
    placements.clear();
    held.clear();
    given = Resources.NONE;
    version++;
  }

  void place(AttemptId attempt, Resources demand) {
    placements.put(attempt, demand);
    given = given.plus(demand);
    version++;
  }

  /** Gives back what an attempt holds. Returns whether it held anything here. */
  boolean release(AttemptId attempt) {
    held.remove(attempt);
    Resources demand = placements.remove(attempt);
    if (demand == null) {
      return false;
    }
    given = given.minusAtMost(demand);
    version++;
    return true;
  }

  /**
   * What can still be given: the offer less every unfinished placement. A node that came back after
   * it was declared dead may still hold attempts that are not placed any more; then what it reports
   * as free counts as well, less the placements that the report does not name yet (B7).
   */
  Resources free() {
    Resources free = offered.minusAtMost(given);
    if (placements.keySet().containsAll(held)) {
      return free;
    }
    Resources believed = reportedFree;
    for (Map.Entry<AttemptId, Resources> placement : placements.entrySet()) {
      if (!held.contains(placement.getKey())) {
        believed = believed.minusAtMost(placement.getValue());
      }
    }
    return least(free, believed);
  }

  private static Resources least(Resources one, Resources other) {
    return one.minusAtMost(one.minusAtMost(other));
  }

  boolean overcommitted() {
    return !offered.covers(given);
  }

  /** Whether the node gets tasks (I1). */
  boolean isReady() {
    return up && reported && !overcommitted();
  }

  boolean isUp() {
    return up && reported;
  }

  /** Whether the node can be talked to. */
  boolean isConnected() {
    return up;
  }

  NodeId id() {
    return id;
  }

  Instant downSince() {
    return downSince;
  }

  private String reason() {
    if (!up) {
      return downReason;
    }
    if (!reported) {
      return "has not reported yet";
    }
    return overcommitted() ? "offers less than it was given" : "takes tasks";
  }

  long boot() {
    return boot;
  }

  long version() {
    return version;
  }

  NodeView view() {
    return new NodeView(id, name, offered, free(), labels, version);
  }

  NodeStatus status() {
    State state = !isUp() ? State.DOWN : overcommitted() ? State.OVERCOMMITTED : State.READY;
    return new NodeStatus(
        id,
        name,
        state,
        reason(),
        offered,
        given,
        state == State.DOWN ? Resources.NONE : free(),
        version,
        boot,
        labels,
        inventory,
        placements.size(),
        reportedAt);
  }
}
