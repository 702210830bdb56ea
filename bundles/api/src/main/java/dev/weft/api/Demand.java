package dev.weft.api;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a task needs of a node.
 *
 * @param resources amounts per environment
 * @param labels labels that the node must carry, with these values; at most 32
 * @param work work to be done, from which the manager derives amounts (E2)
 */
public record Demand(Resources resources, SortedMap<String, String> labels, Optional<Work> work) {
  private static final int MAXIMUM_LABELS = 32;

  /** Copies and checks. */
  public Demand {
    Objects.requireNonNull(resources, "resources");
    Objects.requireNonNull(work, "work");
    labels = ImmutableSortedMap.copyOf(labels);
    if (labels.size() > MAXIMUM_LABELS) {
      throw new IllegalArgumentException("at most " + MAXIMUM_LABELS + " labels: " + labels.size());
    }
  }

  /** A demand without work. */
  public Demand(Resources resources, SortedMap<String, String> labels) {
    this(resources, labels, Optional.empty());
  }

  /** A demand without labels. */
  public static Demand of(Resources resources) {
    return new Demand(resources, new TreeMap<>(Map.of()));
  }

  /**
   * Computation to be done in a time, instead of an amount (E2): so much of the type is derived
   * that the work is done in that time.
   *
   * @param type of what: {@link ResourceType#CPU} or {@link ResourceType#GPU}
   * @param amount in the unit of the type, times seconds
   * @param within when it should be done
   */
  public record Work(ResourceType type, long amount, Duration within) {
    private static final double MOST = 1e15;

    /** Checks. */
    public Work {
      if (!type.equals(ResourceType.CPU) && !type.equals(ResourceType.GPU)) {
        throw new IllegalArgumentException("work is of cpu or gpu, not " + type);
      }
      if (amount < 1 || within.compareTo(Duration.ofMillis(1)) < 0) {
        throw new IllegalArgumentException("work and its time must be positive");
      }
    }

    /** The amount that does the work in time, rounded up. */
    public long target() {
      double units = (double) amount * 1000.0 / (double) within.toMillis();
      return (long) Math.ceil(Math.max(1, Math.min(units, MOST)));
    }
  }
}
