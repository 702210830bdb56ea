package dev.weft.shell.render;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Small pieces of text as people read them. */
public final class Text {
  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

  private Text() {}

  /**
   * A text from elsewhere made fit for a terminal: control characters, with which it could do
   * anything there, become question marks.
   */
  public static String clean(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints().forEach(c -> clean.appendCodePoint(Character.isISOControl(c) ? '?' : c));
    return clean.toString();
  }

  /** Like {@link #clean}, but the ends of lines and tabs stay. */
  public static String cleanLines(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c ->
                clean.appendCodePoint(
                    Character.isISOControl(c) && c != '\n' && c != '\t' ? '?' : c));
    return clean.toString();
  }

  /** A length of time: 0.4 s, 12 s, 3 min 5 s, 2 h 7 min, 3 d 4 h. */
  public static String duration(Duration duration) {
    long millis = Math.max(0, duration.toMillis());
    long seconds = millis / 1000;
    if (seconds < 10) {
      return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
    }
    if (seconds < 60) {
      return seconds + " s";
    }
    if (seconds < 3600) {
      return two(seconds / 60, "min", seconds % 60, "s");
    }
    if (seconds < 86_400) {
      return two(seconds / 3600, "h", seconds % 3600 / 60, "min");
    }
    return two(seconds / 86_400, "d", seconds % 86_400 / 3600, "h");
  }

  private static String two(long large, String largeUnit, long small, String smallUnit) {
    return large + " " + largeUnit + (small == 0 ? "" : " " + small + " " + smallUnit);
  }

  /** How long ago something was. */
  public static String age(Instant then, Instant now) {
    return duration(Duration.between(then, now)) + " ago";
  }

  /** A moment on the user's clock. */
  public static String moment(Instant moment, ZoneId zone) {
    return MOMENT.format(moment.truncatedTo(ChronoUnit.SECONDS).atZone(zone));
  }

  /** A count with its noun: 1 task, 2 tasks. */
  public static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}
