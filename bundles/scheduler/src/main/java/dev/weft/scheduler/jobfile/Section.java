package dev.weft.scheduler.jobfile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** A map in a job file with known keys. Unknown and repeated keys are problems at once. */
final class Section {
  private final Value self;
  private final Map<String, Value> values = new LinkedHashMap<>();

  Section(Value self, MappingNode node, List<String> known) {
    this.self = self;
    entries(self, node)
        .forEach(
            (key, value) -> {
              if (known.contains(key)) {
                values.put(key, value);
              } else {
                value.problemAtKey("unknown key; " + Nearest.suggestion(key, known));
              }
            });
  }

  /** Every entry of a map with free keys; repeated keys and keys that are no text are problems. */
  static Map<String, Value> entries(Value self, MappingNode node) {
    Map<String, Value> entries = new LinkedHashMap<>();
    for (NodeTuple tuple : node.getValue()) {
      Node keyNode = tuple.getKeyNode();
      if (!(keyNode instanceof ScalarNode key)) {
        self.child(Optional.empty(), keyNode, keyNode).problem("expected a plain key");
        continue;
      }
      Value value = self.child(Optional.of(key.getValue()), keyNode, tuple.getValueNode());
      Value earlier = entries.putIfAbsent(key.getValue(), value);
      if (earlier != null) {
        value.problemAtKey("given twice; first on line " + earlier.keyLine());
      }
    }
    return entries;
  }

  /** What is there, in order of place. */
  Map<String, Value> values() {
    return Collections.unmodifiableMap(values);
  }

  Optional<Value> get(String key) {
    return Optional.ofNullable(values.get(key));
  }

  /** Something is wrong with the map as a whole. */
  void problem(String message) {
    self.problem(message);
  }

  /** A value that must be there. */
  Optional<Value> require(String key, String expected) {
    Optional<Value> value = get(key);
    if (value.isEmpty()) {
      self.problem("needs '" + key + "': " + expected);
    }
    return value;
  }
}
