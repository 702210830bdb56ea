package dev.weft.config;

import java.math.BigDecimal;
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
        case "Byte" -> whole(value, Byte.MIN_VALUE, Byte.MAX_VALUE);
        case "Short" -> whole(value, Short.MIN_VALUE, Short.MAX_VALUE);
        case "Integer" -> whole(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
        case "Long" -> whole(value, Long.MIN_VALUE, Long.MAX_VALUE);
        case "Double", "Float" ->
            value.matches("[+-]?(\\d{1,18}(\\.\\d{0,18})?|\\.\\d{1,18})")
                    && isWithin(new BigDecimal(value), minimum, maximum)
                ? Optional.empty()
                : Optional.of("expected a decimal number" + range(minimum, maximum));
        default -> Optional.empty();
      };
    }

    /** The type has limits too: what does not fit into it would fail later, in the component. */
    private Optional<String> whole(String value, long least, long most) {
      Optional<String> from = minimum.or(() -> Optional.of(Long.toString(least)));
      Optional<String> to = maximum.or(() -> Optional.of(Long.toString(most)));
      return value.matches("[+-]?\\d{1,19}") && isWithin(new BigDecimal(value), from, to)
          ? Optional.empty()
          : Optional.of("expected a whole number" + range(from, to));
    }

    /** Exact: a double would take the greatest long for one more. */
    private static boolean isWithin(BigDecimal value, Optional<String> from, Optional<String> to) {
      return from.map(least -> value.compareTo(new BigDecimal(least)) >= 0).orElse(true)
          && to.map(most -> value.compareTo(new BigDecimal(most)) <= 0).orElse(true);
    }

    private static String range(Optional<String> from, Optional<String> to) {
      if (from.isPresent() && to.isPresent()) {
        return " from " + from.get() + " to " + to.get();
      }
      return from.map(least -> " of at least " + least).orElse("")
          + to.map(most -> " of at most " + most).orElse("");
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
