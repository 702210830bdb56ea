package dev.weft.agent;

import java.util.Collections;
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
 * @param labels labels that the operator gives the node
 */
record OfferRules(
    OptionalLong cpuMilli,
    OptionalLong memoryBytes,
    OptionalLong gpus,
    SortedMap<String, String> labels) {
  OfferRules {
    Objects.requireNonNull(cpuMilli, "cpuMilli");
    Objects.requireNonNull(memoryBytes, "memoryBytes");
    Objects.requireNonNull(gpus, "gpus");
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
  }
}
