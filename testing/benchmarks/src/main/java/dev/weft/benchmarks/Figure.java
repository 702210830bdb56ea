package dev.weft.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * One measured number.
 *
 * @param name of the figure
 * @param value the number
 * @param unit its unit
 * @param parameters what it depends on
 */
record Figure(String name, double value, String unit, Map<String, ?> parameters) {
  private static final ObjectMapper JSON = new ObjectMapper();

  Figure {
    parameters = Map.copyOf(parameters);
  }

  /** One line of JSON. */
  String toJson() {
    ObjectNode node = JSON.createObjectNode();
    node.put("figure", name);
    node.put("value", Math.round(value * 1000) / 1000.0);
    node.put("unit", unit);
    parameters.forEach(node::putPOJO);
    return node.toString();
  }
}
