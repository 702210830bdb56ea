package dev.weft.scheduler.jobfile;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** A map in a job file with known keys. Unknown and repeated keys are problems at once. */
final class Section {
  /** A key this different from every known one is no typing error of any. */
  private static final int MAXIMUM_DISTANCE = 3;

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
                value.problemAtKey("unknown key; " + suggestion(key, known));
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

  Optional<Value> get(String key) {
    return Optional.ofNullable(values.get(key));
  }

  /** A value that must be there. */
  Optional<Value> require(String key, String expected) {
    Optional<Value> value = get(key);
    if (value.isEmpty()) {
      self.problem("needs '" + key + "': " + expected);
    }
    return value;
  }

  /** The map itself. */
  private static String suggestion(String key, List<String> known) {
    String folded = fold(key);
    String nearest = "";
    int smallest = Integer.MAX_VALUE;
    for (String candidate : known) {
      int distance = distance(folded, fold(candidate));
      if (distance < smallest) {
        smallest = distance;
        nearest = candidate;
      }
    }
    boolean near = smallest <= Math.min(MAXIMUM_DISTANCE, Math.max(1, folded.length() / 3));
    return near ? "did you mean '" + nearest + "'?" : "known here are " + String.join(", ", known);
  }

  private static String fold(String key) {
    String cut = key.length() > 40 ? key.substring(0, 40) : key;
    return cut.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** How many letters to change, add, drop or swap with their neighbour. */
  private static int distance(String left, String right) {
    int[][] steps = new int[left.length() + 1][right.length() + 1];
    for (int i = 0; i <= left.length(); i++) {
      for (int j = 0; j <= right.length(); j++) {
        if (i == 0 || j == 0) {
          steps[i][j] = i + j;
          continue;
        }
        boolean same = left.charAt(i - 1) == right.charAt(j - 1);
        int best = steps[i - 1][j - 1] + (same ? 0 : 1);
        best = Math.min(best, 1 + Math.min(steps[i - 1][j], steps[i][j - 1]));
        boolean swapped =
            i > 1
                && j > 1
                && left.charAt(i - 1) == right.charAt(j - 2)
                && left.charAt(i - 2) == right.charAt(j - 1);
        steps[i][j] = swapped ? Math.min(best, steps[i - 2][j - 2] + 1) : best;
      }
    }
    return steps[left.length()][right.length()];
  }
}
