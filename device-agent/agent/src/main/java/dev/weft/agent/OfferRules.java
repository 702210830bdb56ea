package dev.weft.agent;

import dev.weft.api.ResourceType;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What of the node its operator offers.
 *
 * @param cpuMilli thousandths of a core; empty for all
 * @param memoryBytes bytes; empty for most
 * @param gpus devices; empty for all
 * @param counters what else the node has, which no probe finds, and how much of it
 * @param labels labels that the operator gives the node
 */
record OfferRules(
    OptionalLong cpuMilli,
    OptionalLong memoryBytes,
    OptionalLong gpus,
    Map<ResourceType, Long> counters,
    SortedMap<String, String> labels) {
  OfferRules {
    Objects.requireNonNull(cpuMilli, "cpuMilli");
    Objects.requireNonNull(memoryBytes, "memoryBytes");
    Objects.requireNonNull(gpus, "gpus");
    counters = Map.copyOf(counters);
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
  }
}
