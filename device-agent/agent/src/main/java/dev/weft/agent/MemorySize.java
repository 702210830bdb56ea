package dev.weft.agent;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads amounts of memory as people write them, such as {@code 2GiB} or {@code 1.5 GB}. */
final class MemorySize {
  private static final Pattern FORM = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,6})?) ?([A-Za-z]*)");
  private static final Map<String, Long> UNITS =
      Map.of(
          "B", 1L,
          "kB", 1_000L,
          "MB", 1_000_000L,
          "GB", 1_000_000_000L,
          "TB", 1_000_000_000_000L,
          "KiB", 1L << 10,
          "MiB", 1L << 20,
          "GiB", 1L << 30,
          "TiB", 1L << 40);

  /** The units, for messages. */
  static final String EXPECTED = "a number with a unit, B, KiB, MiB, GiB, TiB, kB, MB, GB or TB";

  private MemorySize() {}

  /** The number of bytes; empty if it is not one. */
  static Optional<Long> parse(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    if (!matcher.matches() || !UNITS.containsKey(matcher.group(2))) {
      return Optional.empty();
    }
    BigDecimal bytes =
        new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(UNITS.get(matcher.group(2))));
    return bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0
        ? Optional.empty()
        : Optional.of(bytes.longValue());
  }
}
