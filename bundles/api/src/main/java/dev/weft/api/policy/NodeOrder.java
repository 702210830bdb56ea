package dev.weft.api.policy;

import dev.weft.api.NodeId;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An order of nodes by what they have free (A3): descending by the weighted sum of the amounts,
 * equal sums by more free cores, then by more free memory, then by id. With negative weights the
 * fullest node comes first.
 *
 * @param weights per type; types that are not named do not count; at most {@link #MAXIMUM_TYPES}
 */
public record NodeOrder(SortedMap<ResourceType, Weight> weights) {
  /** Most types with a weight. */
  public static final int MAXIMUM_TYPES = 16;

  /** No weights: by free cores, then free memory, then id. */
  public static final NodeOrder NONE = new NodeOrder(new TreeMap<>());

  /** Copies and checks. */
  public NodeOrder {
    weights = Collections.unmodifiableSortedMap(new TreeMap<>(weights));
    if (weights.size() > MAXIMUM_TYPES) {
      throw new IllegalArgumentException("at most " + MAXIMUM_TYPES + " types have a weight");
    }
  }

  /**
   * What an amount of a type counts.
   *
   * @param weight rank per unit; finite
   * @param unit how much is one unit, in the unit of the type, such as 1,000 for a core; positive
   */
  public record Weight(double weight, double unit) {
    /** Checks. */
    public Weight {
      if (!Double.isFinite(weight) || !(unit > 0) || Double.isInfinite(unit)) {
        throw new IllegalArgumentException("not a weight: " + weight + " per " + unit);
      }
    }
  }

  /** The weighted sum of what is free, in all environments together. */
  public double rank(Resources free) {
    double sum = 0;
    for (Map.Entry<ResourceType, Weight> entry : weights.entrySet()) {
      Weight weight = entry.getValue();
      sum += weight.weight() * (free.total(entry.getKey()) / weight.unit());
    }
    return sum;
  }

  /** The order itself; nodes that are equal in it are the same node. */
  public Comparator<NodeView> comparator() {
    Comparator<NodeView> descending =
        Comparator.<NodeView>comparingDouble(node -> rank(node.free()))
            .thenComparingLong(node -> node.free().total(ResourceType.CPU))
            .thenComparingLong(node -> node.free().total(ResourceType.MEMORY))
            .reversed();
    return descending.thenComparing(NodeView::id, Comparator.<NodeId>naturalOrder());
  }
}
