package dev.weft.api;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a task needs of a node.
 *
 * @param resources amounts per environment
 * @param labels labels that the node must carry, with these values; at most 32
 */
public record Demand(Resources resources, SortedMap<String, String> labels) {
  private static final int MAXIMUM_LABELS = 32;

  /** Copies and checks. */
  public Demand {
    Objects.requireNonNull(resources, "resources");
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    if (labels.size() > MAXIMUM_LABELS) {
      throw new IllegalArgumentException("at most " + MAXIMUM_LABELS + " labels: " + labels.size());
    }
  }

  /** A demand without labels. */
  public static Demand of(Resources resources) {
    return new Demand(resources, new TreeMap<>(Map.of()));
  }
}
