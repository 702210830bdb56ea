package dev.weft.scheduler.jobfile;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads amounts with units as people write them. Empty means that the text is none. */
final class Units {
  private static final Pattern AMOUNT =
      Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,9})?) ?([A-Za-z]*)");
  private static final Pattern DURATION =
      Pattern.compile("(?:([0-9]{1,9})d)?(?:([0-9]{1,9})h)?(?:([0-9]{1,9})m)?(?:([0-9]{1,9})s)?");
  private static final Map<String, Long> BYTES =
      Map.of(
          "", 1L,
          "B", 1L,
          "kB", 1_000L,
          "MB", 1_000_000L,
          "GB", 1_000_000_000L,
          "TB", 1_000_000_000_000L,
          "KiB", 1L << 10,
          "MiB", 1L << 20,
          "GiB", 1L << 30,
          "TiB", 1L << 40);

  private Units() {}

  /** Bytes, rounded up. */
  static OptionalLong bytes(String text) {
    Matcher matcher = AMOUNT.matcher(text);
    if (!matcher.matches() || !BYTES.containsKey(matcher.group(2))) {
      return OptionalLong.empty();
    }
    BigDecimal bytes =
        new BigDecimal(matcher.group(1))
            .multiply(BigDecimal.valueOf(BYTES.get(matcher.group(2))))
            .setScale(0, RoundingMode.CEILING);
    return OptionalLong.of(bytes.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValueExact());
  }

  /** Thousandths of a core: {@code 1.5} or {@code 1500m}. */
  static OptionalLong cores(String text) {
    return text.endsWith("m")
        ? whole(text.substring(0, text.length() - 1), BigDecimal.ONE)
        : thousandths(text);
  }

  /** Thousandths, of a text with at most three decimals. */
  static OptionalLong thousandths(String text) {
    return whole(text, BigDecimal.valueOf(1000));
  }

  private static OptionalLong whole(String text, BigDecimal factor) {
    Matcher matcher = AMOUNT.matcher(text);
    if (!matcher.matches() || !matcher.group(2).isEmpty() || text.endsWith(" ")) {
      return OptionalLong.empty();
    }
    BigDecimal product = new BigDecimal(matcher.group(1)).multiply(factor).stripTrailingZeros();
    return product.scale() > 0 || product.precision() - product.scale() > 18
        ? OptionalLong.empty()
        : OptionalLong.of(product.longValueExact());
  }

  /** A duration such as {@code 90s}, {@code 15m} or {@code 1h30m}. */
  static Optional<Duration> duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (text.isEmpty() || !matcher.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        Duration.ofDays(number(matcher.group(1)))
            .plusHours(number(matcher.group(2)))
            .plusMinutes(number(matcher.group(3)))
            .plusSeconds(number(matcher.group(4))));
  }

  private static long number(String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }
}
