package dev.weft.api.policy;

import dev.weft.api.ImmutableSortedMap;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import java.util.Objects;
import java.util.SortedMap;

/**
 * A node as a policy sees it at one moment.
 *
 * @param id the node
 * @param name host name, for people
 * @param offered what its operator offers, graphics processors by device
 * @param free what of it is not given to any task, graphics processors by device
 * @param labels labels from the node's configuration
 * @param version counter that orders what manager and node believe (B1)
 */
public record NodeView(
    NodeId id,
    String name,
    Resources offered,
    Resources free,
    SortedMap<String, String> labels,
    long version) {
  /** Copies and checks. */
  public NodeView {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(offered, "offered");
    Objects.requireNonNull(free, "free");
    labels = ImmutableSortedMap.copyOf(labels);
  }

  /** The same node with another amount free. */
  public NodeView withFree(Resources left) {
    return new NodeView(id, name, offered, left, labels, version);
  }
}
