package dev.weft.policy.rank;

import dev.weft.api.ResourceType;
import dev.weft.api.policy.NodeOrder;
import dev.weft.api.policy.NodeOrder.Weight;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The order that a configuration asks for: what each resource type counts (A3). */
final class Weights {
  private static final double MILLI = 1_000;
  private static final double GIB = 1L << 30;
  private static final double LEAST_UNIT = 0.001;
  private static final double MOST = 1_000_000;
  private static final Pattern DECIMAL = Pattern.compile("\\d{1,7}(\\.\\d{1,9})?");
  private static final int MAXIMUM_OTHERS = NodeOrder.MAXIMUM_TYPES - 3;
  private static final String EXPECTED =
      "name=number with commas between, at most "
          + MAXIMUM_OTHERS
          + ", each name once, of a counter or gpu.memory, such as camera=2, and each number ";

  /** Each core, GiB of memory and graphics processor counts one. */
  static final NodeOrder DEFAULT =
      new NodeOrder(
          new TreeMap<>(
              Map.of(
                  ResourceType.CPU, new Weight(1, MILLI),
                  ResourceType.MEMORY, new Weight(1, GIB),
                  ResourceType.GPU, new Weight(1, MILLI))));

  private Weights() {}

  /**
   * Reads a configuration.
   *
   * @throws IllegalArgumentException with a message that names the key, if a value is wrong
   */
  static NodeOrder of(RankConfiguration configuration) {
    SortedMap<ResourceType, Weight> weights = new TreeMap<>();
    weights.put(
        ResourceType.CPU,
        new Weight(
            inRange("weight.cpu", configuration.weight_cpu(), 0),
            inRange("unit.cpu", configuration.unit_cpu(), LEAST_UNIT) * MILLI));
    weights.put(
        ResourceType.MEMORY,
        new Weight(
            inRange("weight.memory", configuration.weight_memory(), 0),
            inRange("unit.memory", configuration.unit_memory(), LEAST_UNIT) * GIB));
    weights.put(
        ResourceType.GPU,
        new Weight(
            inRange("weight.gpu", configuration.weight_gpu(), 0),
            inRange("unit.gpu", configuration.unit_gpu(), LEAST_UNIT) * MILLI));
    others(configuration, weights);
    return new NodeOrder(weights);
  }

  private static void others(
      RankConfiguration configuration, SortedMap<ResourceType, Weight> weights) {
    Map<ResourceType, Double> counts = numbers("weight.other", configuration.weight_other(), 0);
    Map<ResourceType, Double> units = numbers("unit.other", configuration.unit_other(), LEAST_UNIT);
    Set<ResourceType> unknown = new TreeSet<>(units.keySet());
    unknown.removeAll(counts.keySet());
    if (!unknown.isEmpty()) {
      throw wrong("unit.other", configuration.unit_other(), "only names that weight.other has");
    }
    counts.forEach(
        (type, weight) -> {
          double unit = units.getOrDefault(type, 1.0);
          weights.put(
              type, new Weight(weight, type.equals(ResourceType.GPU_MEMORY) ? unit * GIB : unit));
        });
  }

  private static double inRange(String key, double value, double least) {
    if (!(value >= least && value <= MOST)) {
      throw wrong(key, Double.toString(value), "a decimal number " + range(least));
    }
    return value;
  }

  private static SortedMap<ResourceType, Double> numbers(String key, String text, double least) {
    SortedMap<ResourceType, Double> numbers = new TreeMap<>();
    if (text.isBlank()) {
      return numbers;
    }
    for (String pair : text.split(",", -1)) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? "" : pair.substring(0, equals).strip();
      String number = pair.substring(equals + 1).strip();
      boolean known = ResourceType.isCounter(name) || name.equals(ResourceType.GPU_MEMORY.name());
      double value = DECIMAL.matcher(number).matches() ? Double.parseDouble(number) : -1;
      if (!known
          || !(value >= least && value <= MOST)
          || numbers.put(new ResourceType(name), value) != null
          || numbers.size() > MAXIMUM_OTHERS) {
        throw wrong(key, text, EXPECTED + range(least));
      }
    }
    return numbers;
  }

  private static String range(double least) {
    return least == 0 ? "from 0 to 1000000" : "from 0.001 to 1000000";
  }

  private static IllegalArgumentException wrong(String key, String value, String expected) {
    return new IllegalArgumentException(key + " = " + value + ": expected " + expected);
  }
}
