package dev.weft.core.loop;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Starts with the time of day and then follows the machine's steady counter, which also runs while
 * the process is stopped. So nobody loses peers or attempts when the time of day is corrected.
 * Thread-safe.
 */
public final class SteadyClock extends Clock {
  private final Instant start;
  private final long startNanos;
  private final ZoneId zone;

  /** A clock that shows the time of day now. */
  public SteadyClock() {
    this(Clock.systemUTC().instant(), System.nanoTime(), ZoneOffset.UTC);
  }

  private SteadyClock(Instant start, long startNanos, ZoneId zone) {
    this.start = start;
    this.startNanos = startNanos;
    this.zone = zone;
  }

  @Override
  public Instant instant() {
    return start.plus(Duration.ofNanos(System.nanoTime() - startNanos));
  }

  @Override
  public ZoneId getZone() {
    return zone;
  }

  @Override
  public Clock withZone(ZoneId other) {
    return new SteadyClock(start, startNanos, other);
  }
}
