package dev.weft.resources;

import dev.weft.api.NodeId;
import dev.weft.api.policy.NodeView;
import dev.weft.api.policy.PoolView;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The nodes that get tasks, at one moment. */
record PoolSnapshot(SortedMap<NodeId, NodeView> byId) implements PoolView {
  static final PoolSnapshot EMPTY = new PoolSnapshot(new TreeMap<>());

  PoolSnapshot {
    byId = Collections.unmodifiableSortedMap(byId);
  }

  @Override
  public Collection<NodeView> nodes() {
    return byId.values();
  }

  @Override
  public Optional<NodeView> node(NodeId id) {
    return Optional.ofNullable(byId.get(id));
  }
}
