package dev.weft.shell.command;

import dev.weft.shell.render.Text;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** Reads durations as job files have them. */
final class DurationReader implements CommandLine.ITypeConverter<Duration> {
  private static final Pattern FORM =
      Pattern.compile("(?:([0-9]{1,9})d)?(?:([0-9]{1,9})h)?(?:([0-9]{1,9})m)?(?:([0-9]{1,9})s)?");
  private static final Duration MAXIMUM = Duration.ofDays(30);

  @Override
  public Duration convert(String text) {
    Matcher matcher = FORM.matcher(text);
    if (text.isEmpty() || !matcher.matches()) {
      throw new CommandLine.TypeConversionException(
          "expected a duration such as 90s, 15m or 1h30m, not '" + Text.clean(text) + "'");
    }
    Duration duration =
        Duration.ofDays(number(matcher.group(1)))
            .plusHours(number(matcher.group(2)))
            .plusMinutes(number(matcher.group(3)))
            .plusSeconds(number(matcher.group(4)));
    if (duration.compareTo(MAXIMUM) > 0) {
      throw new CommandLine.TypeConversionException("must be 0s to " + MAXIMUM.toDays() + "d");
    }
    return duration;
  }

  private static long number(String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }
}
