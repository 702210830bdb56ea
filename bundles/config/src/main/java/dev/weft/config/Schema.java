package dev.weft.config;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The settings that a bundle declares.
 *
 * @param pid name of the configuration, and of its file without {@code .cfg}
 * @param keys by name
 */
public record Schema(String pid, SortedMap<String, Key> keys) {
  /** Copies. */
  public Schema {
    keys = Collections.unmodifiableSortedMap(new TreeMap<>(keys));
  }

  /** What is wrong with a key and its value; empty if nothing. */
  public Optional<String> problem(String key, String value) {
    Key known = keys.get(key);
    if (known == null) {
      return Optional.of(
          "expected a known key, perhaps "
              + Nearest.to(key, keys.keySet()).orElse("none: this file has no keys"));
    }
    return known.problem(value.strip());
  }

  /**
   * One setting.
   *
   * @param type as the OSGi metatype specification names it: Integer, Long, Double, Boolean, String
   *     …
   * @param minimum least value of a number
   * @param maximum greatest value of a number
   * @param options the only values allowed; empty for any
   */
  public record Key(
      String type, Optional<String> minimum, Optional<String> maximum, List<String> options) {
    /** Copies. */
    public Key {
      options = List.copyOf(options);
    }

    Optional<String> problem(String value) {
      if (!options.isEmpty() && !options.contains(value)) {
        return Optional.of("expected one of " + String.join(", ", options));
      }
      return switch (type) {
        case "Boolean" ->
            value.equals("true") || value.equals("false")
                ? Optional.empty()
                : Optional.of("expected true or false");
        case "Integer", "Long", "Short", "Byte" ->
            value.matches("[+-]?\\d{1,18}") && isWithin(Double.parseDouble(value))
                ? Optional.empty()
                : Optional.of("expected a whole number" + range());
        case "Double", "Float" ->
            value.matches("[+-]?(\\d{1,18}(\\.\\d{0,18})?|\\.\\d{1,18})")
                    && isWithin(Double.parseDouble(value))
                ? Optional.empty()
                : Optional.of("expected a decimal number" + range());
        default -> Optional.empty();
      };
    }

    private boolean isWithin(double value) {
      return minimum.map(Double::parseDouble).orElse(Double.NEGATIVE_INFINITY) <= value
          && value <= maximum.map(Double::parseDouble).orElse(Double.POSITIVE_INFINITY);
    }

    private String range() {
      if (minimum.isPresent() && maximum.isPresent()) {
        return " from " + minimum.get() + " to " + maximum.get();
      }
      return minimum.map(least -> " of at least " + least).orElse("")
          + maximum.map(most -> " of at most " + most).orElse("");
    }
  }

  /** Every schema by its PID, of several files. */
  static Map<String, Schema> byPid(List<Schema> schemas) {
    Map<String, Schema> all = new TreeMap<>();
    for (Schema schema : schemas) {
      all.merge(schema.pid(), schema, Schema::plus);
    }
    return all;
  }

  /** Two components of a bundle may share a PID. */
  private Schema plus(Schema other) {
    SortedMap<String, Key> both = new TreeMap<>(keys);
    both.putAll(other.keys);
    return new Schema(pid, both);
  }
}
