package dev.weft.resources.pool;

import dev.weft.api.Demand;
import dev.weft.api.NodeId;
import dev.weft.api.Resources.Lack;
import dev.weft.api.policy.NodeOrder;
import dev.weft.api.policy.NodeView;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.api.policy.PoolView;
import dev.weft.api.policy.Refusal;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The shared pool as a value: a change gives another pool that shares most with this one, and this
 * one stays as it was. Nodes are found by id, and as the first of an order that fits a demand.
 *
 * <p>Immutable; may be read on any thread.
 */
public final class PoolTree implements PoolView {
  private final NodeOrder order;
  private final int size;

  // Both null if there are no nodes.
  private final Object byId;
  private final Cell cells;

  private PoolTree(NodeOrder order, int size, Object byId, Cell cells) {
    this.order = order;
    this.size = size;
    this.byId = byId;
    this.cells = cells;
  }

  /** A pool without nodes. */
  public static PoolTree empty(NodeOrder order) {
    return new PoolTree(Objects.requireNonNull(order, "order"), 0, null, null);
  }

  /** The order in which nodes are tried. */
  public NodeOrder order() {
    return order;
  }

  /** The same nodes in another order. Makes everything anew. */
  public PoolTree withOrder(NodeOrder other) {
    PoolTree pool = empty(other);
    for (NodeView node : nodes()) {
      pool = pool.with(node);
    }
    return pool;
  }

  /** A pool with a node put, or replaced if there is one of its id. */
  public PoolTree with(NodeView node) {
    Entry entry = Entry.of(node, order);
    if (cells == null) {
      return new PoolTree(order, 1, entry, entry);
    }
    Entry old = IdTree.get(byId, node.id());
    return new PoolTree(
        order,
        old == null ? size + 1 : size,
        IdTree.put(byId, entry),
        old == null ? Branch.insert(cells, entry) : Branch.replace(cells, old, entry));
  }

  /** A pool without a node; the same pool if it is not there. */
  public PoolTree without(NodeId id) {
    Entry old = IdTree.get(byId, id);
    if (old == null) {
      return this;
    }
    return new PoolTree(
        order,
        size - 1,
        IdTree.remove(byId, id),
        cells instanceof Branch branch ? branch.remove(old) : null);
  }

  /** How many nodes there are. */
  public int size() {
    return size;
  }

  @Override
  public Optional<NodeView> node(NodeId id) {
    return Optional.ofNullable(IdTree.get(byId, id)).map(entry -> entry.node);
  }

  @Override
  public Collection<NodeView> nodes() {
    return new AbstractCollection<>() {
      @Override
      public int size() {
        return size;
      }

      @Override
      public Iterator<NodeView> iterator() {
        return IdTree.iterator(byId);
      }
    };
  }

  /** The first nodes in the order, at most so many. */
  public List<NodeView> first(int count) {
    return cells == null
        ? List.of()
        : Search.first(cells, count).stream().map(entry -> entry.node).toList();
  }

  /**
   * A node that was found.
   *
   * @param node the node
   * @param rank its rank value (A3)
   */
  public record Found(NodeView node, double rank) {
    /** Checks. */
    public Found {
      Objects.requireNonNull(node, "node");
    }
  }

  /**
   * The node for a request: the one that it wants first, if that fits; else the first in the order
   * that fits and is not to be tried last; else the first in the order of those.
   *
   * @return empty if no node fits
   */
  public Optional<Found> first(Request request) {
    if (cells == null) {
      return Optional.empty();
    }
    Want want = new Want(request.demand());
    Optional<Entry> found = request.first().flatMap(id -> fitting(want, Set.of(id)));
    if (found.isEmpty()) {
      found = Search.first(cells, want, request.last());
    }
    if (found.isEmpty() && !request.last().isEmpty()) {
      found = fitting(want, request.last());
    }
    return found.map(entry -> new Found(entry.node, entry.rank));
  }

  /** The first in the order of some nodes that fits. */
  private Optional<Entry> fitting(Want want, Set<NodeId> ids) {
    List<Entry> fitting = new ArrayList<>();
    for (NodeId id : ids) {
      Entry entry = IdTree.get(byId, id);
      if (entry != null && want.fits(entry)) {
        fitting.add(entry);
      }
    }
    return fitting.stream().min(Entry::compare);
  }

  /**
   * What no node has enough of, for itself, and the most that one has; labels do not count. Empty
   * if each amount alone fits a node, even if no node has all of them.
   */
  public List<Lack> shortages(Demand demand) {
    return new Shortages(Optional.ofNullable(cells)).of(demand.resources());
  }

  /** Why each node cannot take a task, in order of id; each is looked at when it is asked for. */
  public Map<NodeId, Optional<Refusal>> explain(Demand demand) {
    return new Explanation(this, demand);
  }
}
