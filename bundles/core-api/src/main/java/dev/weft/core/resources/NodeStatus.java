package dev.weft.core.resources;

import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.inventory.Inventory;
import java.time.Instant;
import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All that the resource manager knows of a node.
 *
 * @param id the node
 * @param name host name
 * @param state whether it gets tasks
 * @param reason why it is in this state, in plain words
 * @param offered what its operator offers
 * @param given what unfinished placements hold
 * @param free what can still be given
 * @param version version of the free amount (B1)
 * @param boot its boot number
 * @param labels its labels
 * @param inventory what its probes found
 * @param placements number of unfinished placements
 * @param reportedAt when its last report arrived
 */
public record NodeStatus(
    NodeId id,
    String name,
    State state,
    String reason,
    Resources offered,
    Resources given,
    Resources free,
    long version,
    long boot,
    SortedMap<String, String> labels,
    Inventory inventory,
    int placements,
    Instant reportedAt) {
  /** Whether a node gets tasks. */
  public enum State {
    /** It gets tasks. */
    READY,
    /** Its operator wants no more tasks on it; what it runs goes on. */
    INELIGIBLE,
    /** It offers less than was given already; it gets nothing until it fits again (I1). */
    OVERCOMMITTED,
    /** It is not there. */
    DOWN
  }

  /** Copies and checks. */
  public NodeStatus {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(offered, "offered");
    Objects.requireNonNull(given, "given");
    Objects.requireNonNull(free, "free");
    Objects.requireNonNull(inventory, "inventory");
    Objects.requireNonNull(reportedAt, "reportedAt");
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
  }
}
