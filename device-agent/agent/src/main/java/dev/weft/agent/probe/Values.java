package dev.weft.agent.probe;

import java.util.Optional;
import java.util.OptionalLong;

/** Reads the forms in which the kernel writes single values. */
final class Values {
  private static final int DECIMAL = 10;

  private Values() {}

  /** A whole number that is not negative; empty if it is none, or more than a long can hold. */
  static OptionalLong number(String text) {
    return number(text.strip(), DECIMAL);
  }

  /** A whole number that is not negative, with the given base. */
  static OptionalLong number(String text, int base) {
    try {
      long value = Long.parseLong(text, base);
      return value < 0 ? OptionalLong.empty() : OptionalLong.of(value);
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  /** The value of the first line {@code key<separator>value}, without white space around. */
  static Optional<String> line(String text, String key, String separator) {
    return text.lines()
        .filter(line -> line.contains(separator))
        .filter(line -> line.substring(0, line.indexOf(separator)).strip().equals(key))
        .map(line -> line.substring(line.indexOf(separator) + separator.length()).strip())
        .filter(value -> !value.isEmpty())
        .findFirst();
  }
}
