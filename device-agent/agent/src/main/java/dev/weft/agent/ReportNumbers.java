package dev.weft.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says where the numbers of reports begin, so that they also rise when the agent's bundle is
 * started again within one boot of the node (B3): each such start has a range of its own.
 */
final class ReportNumbers {
  private static final Logger LOG = LoggerFactory.getLogger(ReportNumbers.class);
  private static final Pattern FORM = Pattern.compile("(\\d{1,18}) (\\d{1,9})");
  private static final int RANGE_BITS = 32;

  private ReportNumbers() {}

  /**
   * The number before the first of this start; 0 for the first start of a boot.
   *
   * @param home the agent's own folder
   * @param boot boot number of the node
   */
  static long before(Path home, long boot) {
    Path file = home.resolve("reports");
    try {
      Files.createDirectories(home);
      long range = rangeBefore(file, boot) + 1;
      Files.writeString(file, boot + " " + range);
      return range << RANGE_BITS;
    } catch (IOException e) {
      LOG.warn(
          "Cannot write {}: {}; after an update of the agent's bundle, managers will not listen"
              + " until the node is restarted",
          file,
          e.toString());
      return 0;
    }
  }

  private static long rangeBefore(Path file, long boot) throws IOException {
    try {
      Matcher matcher = FORM.matcher(Files.readString(file));
      return matcher.matches() && Long.parseLong(matcher.group(1)) == boot
          ? Long.parseLong(matcher.group(2))
          : -1;
    } catch (NoSuchFileException e) {
      return -1;
    }
  }
}
