package dev.weft.resources.pool;

import dev.weft.api.Demand;
import dev.weft.api.NodeId;
import dev.weft.api.policy.NodeView;
import dev.weft.api.policy.Refusal;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Why the nodes of a pool cannot take a task; each is looked at when it is asked for. */
final class Explanation extends AbstractMap<NodeId, Optional<Refusal>> {
  private final PoolTree pool;
  private final Demand demand;

  Explanation(PoolTree pool, Demand demand) {
    this.pool = pool;
    this.demand = demand;
  }

  private Optional<Refusal> explain(NodeView node) {
    return Refusal.check(demand, node, node.free());
  }

  @Override
  public boolean containsKey(Object key) {
    return key instanceof NodeId id && pool.node(id).isPresent();
  }

  @Override
  public Optional<Refusal> get(Object key) {
    return key instanceof NodeId id ? pool.node(id).map(this::explain).orElse(null) : null;
  }

  @Override
  public Set<Map.Entry<NodeId, Optional<Refusal>>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public int size() {
        return pool.size();
      }

      @Override
      public Iterator<Map.Entry<NodeId, Optional<Refusal>>> iterator() {
        Iterator<NodeView> nodes = pool.nodes().iterator();
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            return nodes.hasNext();
          }

          @Override
          public Map.Entry<NodeId, Optional<Refusal>> next() {
            NodeView node = nodes.next();
            return Map.entry(node.id(), explain(node));
          }
        };
      }
    };
  }
}
