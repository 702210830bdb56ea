package dev.weft.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;

/** A clock that stands still until it is told to move. For one thread. */
public final class VirtualClock extends Clock {
  /** Where every virtual clock starts. */
  public static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final ZoneId zone;
  private Instant now = START;

  /** A clock at {@link #START}. */
  public VirtualClock() {
    this(ZoneOffset.UTC);
  }

  private VirtualClock(ZoneId zone) {
    this.zone = Objects.requireNonNull(zone, "zone");
  }

  /**
   * Moves to a later moment.
   *
   * @throws IllegalArgumentException if it is earlier than now
   */
  public void moveTo(Instant later) {
    if (later.isBefore(now)) {
      throw new IllegalArgumentException("time runs forward only: " + later + " is before " + now);
    }
    now = later;
  }

  /** Moves on by some time. */
  public void advance(Duration time) {
    moveTo(now.plus(time));
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return zone;
  }

  @Override
  public Clock withZone(ZoneId other) {
    VirtualClock copy = new VirtualClock(other);
    copy.now = now;
    return copy;
  }
}
