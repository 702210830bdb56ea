package dev.weft.scheduler.jobfile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A value in a job file: its place, its key and how to read it. What cannot be read as asked is
 * reported and comes back empty.
 */
final class Value {
  private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]{1,18}");
  private static final int MAXIMUM_SHOWN = 40;

  private final String path;
  private final Node key;
  private final Node node;
  private final Problems problems;

  private Value(String path, Node key, Node node, Problems problems) {
    this.path = path;
    this.key = key;
    this.node = node;
    this.problems = problems;
  }

  static Value root(Node node, Problems problems) {
    return new Value("", node, node, problems);
  }

  /** A value below this one. */
  Value child(Optional<String> name, Node childKey, Node child) {
    String shown = name.map(Value::shorten).orElse("");
    boolean joined = !path.isEmpty() && !shown.isEmpty() && !shown.startsWith("[");
    return new Value(path + (joined ? "." : "") + shown, childKey, child, problems);
  }

  void problem(String message) {
    problems.add(node.getStartMark(), path, message);
  }

  void problemAtKey(String message) {
    problems.add(key.getStartMark(), path, message);
  }

  /** Reports that something else was expected. */
  <T> Optional<T> unexpected(String expected) {
    problem("expected " + expected + ", not " + shown());
    return Optional.empty();
  }

  int keyLine() {
    return key.getStartMark().map(Mark::getLine).orElse(-1) + 1;
  }

  boolean isList() {
    return node instanceof SequenceNode;
  }

  boolean isMap() {
    return node instanceof MappingNode;
  }

  /** Any scalar but nothing, as it is written. */
  Optional<String> text(String expected) {
    if (!(node instanceof ScalarNode scalar) || isNothing()) {
      return unexpected(expected);
    }
    if (scalar.getValue().indexOf('\0') >= 0) {
      problem("must not contain the character 0");
      return Optional.empty();
    }
    return Optional.of(scalar.getValue());
  }

  /** A text of limited length that is not empty. */
  Optional<String> text(String expected, int maximum) {
    Optional<String> text = text(expected);
    if (text.isPresent() && (text.get().isEmpty() || text.get().length() > maximum)) {
      problem("must have 1 to " + maximum + " characters, has " + text.get().length());
      return Optional.empty();
    }
    return text;
  }

  Optional<Boolean> flag() {
    if (node instanceof ScalarNode scalar && scalar.isPlain()) {
      if (scalar.getValue().equals("true")) {
        return Optional.of(true);
      }
      if (scalar.getValue().equals("false")) {
        return Optional.of(false);
      }
    }
    return unexpected("true or false");
  }

  OptionalLong whole(long minimum, long maximum) {
    String text = node instanceof ScalarNode scalar ? scalar.getValue() : "";
    if (!WHOLE.matcher(text).matches()) {
      unexpected("a whole number");
      return OptionalLong.empty();
    }
    long value = Long.parseLong(text);
    if (value < minimum || value > maximum) {
      problem("must be " + minimum + " to " + maximum + ", not " + value);
      return OptionalLong.empty();
    }
    return OptionalLong.of(value);
  }

  Optional<Section> section(String expected, List<String> known) {
    return node instanceof MappingNode map
        ? Optional.of(new Section(this, map, known))
        : unexpected(expected);
  }

  /** A map with free keys. */
  Map<String, Value> entries(String expected) {
    if (node instanceof MappingNode map) {
      return Section.entries(this, map);
    }
    unexpected(expected);
    return new LinkedHashMap<>();
  }

  Optional<List<Value>> list(String expected, int maximum) {
    if (!(node instanceof SequenceNode sequence)) {
      return unexpected(expected);
    }
    List<Node> nodes = sequence.getValue();
    if (nodes.size() > maximum) {
      problem("has " + nodes.size() + " items; at most " + maximum);
      return Optional.empty();
    }
    List<Value> values = new ArrayList<>();
    for (Node item : nodes) {
      values.add(child(Optional.of("[" + values.size() + "]"), item, item));
    }
    return Optional.of(values);
  }

  private boolean isNothing() {
    return node.getTag().equals(Tag.NULL);
  }

  /** The value as it is written, cut and in quotes, or what it is. */
  String shown() {
    if (node instanceof SequenceNode) {
      return "a list";
    }
    if (node instanceof MappingNode) {
      return "a map";
    }
    return isNothing() ? "nothing" : "'" + shorten(((ScalarNode) node).getValue()) + "'";
  }

  private static String shorten(String text) {
    String line = text.replaceAll("\\p{Cntrl}", "?");
    return line.length() > MAXIMUM_SHOWN ? line.substring(0, MAXIMUM_SHOWN) + "..." : line;
  }
}
