package dev.weft.scheduler.jobfile;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads values that are amounts with units, within limits. */
final class Amounts {
  private static final int MAXIMUM_TEXT = 40;
  private static final long MAXIMUM_BYTES = 1L << 60;
  private static final Duration MAXIMUM_DURATION = Duration.ofDays(30);
  private static final Duration MAXIMUM_WAIT = Duration.ofDays(1);
  private static final long MAXIMUM_WORK = 1_000_000_000;

  /** Most cores of a demand. */
  static final long MAXIMUM_CORES = 10_000;

  /** Most graphics processors of a demand. */
  static final long MAXIMUM_DEVICES = 1_000;

  private Amounts() {}

  /** Bytes, at least {@code minimum}. */
  static Optional<Long> bytes(Value value, long minimum) {
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
    return within(
        value, bytes.getAsLong(), minimum, MAXIMUM_BYTES, "must be " + minimum + " to 1048576 TiB");
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
        0,
        MAXIMUM_CORES * 1_000,
        "must be 0 to " + MAXIMUM_CORES + " cores");
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

  /** Core-seconds or device-seconds, in thousandths. */
  static Optional<Long> work(Value value) {
    String expected = "seconds of one core or device, such as 3600 or 0.5";
    Optional<String> text = value.text(expected, MAXIMUM_TEXT);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    OptionalLong milli = Units.thousandths(text.get());
    if (milli.isEmpty()) {
      return value.unexpected(expected);
    }
    return within(
        value,
        milli.getAsLong(),
        1,
        MAXIMUM_WORK * 1_000,
        "must be 0.001 to " + MAXIMUM_WORK + " seconds of one core or device");
  }

  /** How long something may last. */
  static Optional<Duration> duration(Value value) {
    return duration(value, Duration.ofSeconds(1), MAXIMUM_DURATION, "must be 1s to 30d");
  }

  /** How long to wait before something. */
  static Optional<Duration> wait(Value value) {
    return duration(value, Duration.ZERO, MAXIMUM_WAIT, "must be 0s to 1d");
  }

  private static Optional<Duration> duration(
      Value value, Duration minimum, Duration maximum, String message) {
    String expected = "a duration such as 90s, 15m or 1h30m";
    Optional<String> text = value.text(expected, MAXIMUM_TEXT);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Optional<Duration> duration = Units.duration(text.get());
    if (duration.isEmpty()) {
      return value.unexpected(expected);
    }
    if (duration.get().compareTo(minimum) < 0 || duration.get().compareTo(maximum) > 0) {
      value.problem(message);
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
