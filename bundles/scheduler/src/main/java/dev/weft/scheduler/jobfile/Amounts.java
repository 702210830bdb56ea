package dev.weft.scheduler.jobfile;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads values that are amounts with units, within limits. */
final class Amounts {
  private static final int MAXIMUM_TEXT = 40;
  private static final long MAXIMUM_BYTES = 1L << 60;
  private static final long MAXIMUM_CORES = 10_000;
  private static final long MAXIMUM_DEVICES = 1_000;
  private static final Duration MAXIMUM_DURATION = Duration.ofDays(30);

  private Amounts() {}

  static Optional<Long> bytes(Value value) {
    String expected =
        "bytes such as 512MiB, 2GB or 1000000 (units: B, kB, MB, GB, TB, KiB, MiB, GiB, TiB)";
    Optional<String> text = value.text(expected, MAXIMUM_TEXT);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    OptionalLong bytes = Units.bytes(text.get());
    if (bytes.isEmpty()) {
      return value.unexpected(expected);
    }
    return within(value, bytes.getAsLong(), 1, MAXIMUM_BYTES, "must be 1 byte to 1048576 TiB");
  }

  static Optional<Long> cores(Value value) {
    String expected = "cores such as 2 or 1.5, or thousandths of a core such as 500m";
    Optional<String> text = value.text(expected, MAXIMUM_TEXT);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    OptionalLong milli = Units.cores(text.get());
    if (milli.isEmpty()) {
      return value.unexpected(expected);
    }
    return within(
        value,
        milli.getAsLong(),
        1,
        MAXIMUM_CORES * 1_000,
        "must be 0.001 to " + MAXIMUM_CORES + " cores");
  }

  static Optional<Long> devices(Value value) {
    String expected = "a number of devices such as 1, or a part of one such as 0.5";
    Optional<String> text = value.text(expected, MAXIMUM_TEXT);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    OptionalLong milli = Units.thousandths(text.get());
    if (milli.isEmpty() || (milli.getAsLong() > 1_000 && milli.getAsLong() % 1_000 != 0)) {
      return value.unexpected(expected);
    }
    return within(
        value,
        milli.getAsLong(),
        0,
        MAXIMUM_DEVICES * 1_000,
        "must be 0 to " + MAXIMUM_DEVICES + " devices");
  }

  static Optional<Duration> duration(Value value) {
    String expected = "a duration such as 90s, 15m or 1h30m";
    Optional<String> text = value.text(expected, MAXIMUM_TEXT);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Optional<Duration> duration = Units.duration(text.get());
    if (duration.isEmpty()) {
      return value.unexpected(expected);
    }
    if (duration.get().isZero() || duration.get().compareTo(MAXIMUM_DURATION) > 0) {
      value.problem("must be 1s to " + MAXIMUM_DURATION.toDays() + "d");
      return Optional.empty();
    }
    return duration;
  }

  private static Optional<Long> within(
      Value value, long number, long minimum, long maximum, String message) {
    if (number < minimum || number > maximum) {
      value.problem(message);
      return Optional.empty();
    }
    return Optional.of(number);
  }
}
