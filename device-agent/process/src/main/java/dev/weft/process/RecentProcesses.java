package dev.weft.process;

import dev.weft.process.ProcessTable.Entry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Tells cheaply whether a program that ended after a short time left anything running, without a
 * look at all processes.
 *
 * <p>The kernel gives process ids in rising order, and {@code /proc/loadavg} ends with the last one
 * given (see proc(5)). What a program started, by whatever way, so has an id between its own and
 * that one, as long as the ids did not start again from below. If the last id is the same before
 * and after a look at all of these, nothing came into being meanwhile, and the look missed nothing.
 */
final class RecentProcesses {
  /** With more ids than this, one look at all processes for several attempts is cheaper. */
  private static final int MAXIMUM_IDS = 128;

  private static final int MAXIMUM_LOOKS = 4;

  /** More processes and threads than this nobody starts in a second. */
  private static final long FASTEST_STARTS = 65_536;

  private static final long LEAST_IDS = 32_768;
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final Path root;
  private final long longest;

  /** Those in a folder, {@code /proc} but for tests. */
  RecentProcesses(Path root) {
    this.root = root;
    long ids =
        text(root.resolve("sys/kernel/pid_max"))
            .map(text -> number(text).orElse(LEAST_IDS))
            .orElse(LEAST_IDS);
    long safe = Duration.ofSeconds(1).toNanos() / FASTEST_STARTS * ids;
    this.longest = Math.min(safe, LONGEST.toNanos());
  }

  /**
   * Whether it is certain that nothing of an attempt runs.
   *
   * @param leader id of its first process, which has ended
   * @param age nanoseconds since that was started
   * @return false if something does, or if this cannot be told cheaply
   */
  boolean isNothingLeft(String mark, long leader, long age) {
    if (age > longest) {
      return false;
    }
    long from = leader;
    long last = lastId();
    for (int look = 0; look < MAXIMUM_LOOKS; look++) {
      if (last < from || last - leader > MAXIMUM_IDS) {
        return false;
      }
      for (long id = from + 1; id <= last; id++) {
        if (mayBelong(ProcessTable.entry(root, id), mark, leader)) {
          return false;
        }
      }
      long now = lastId();
      if (now == last) {
        return true;
      }
      from = last;
      last = now;
    }
    return false;
  }

  private static boolean mayBelong(Optional<Entry> found, String mark, long leader) {
    // In the middle of execve(2) a process shows no environment: it is looked at again later.
    return found
        .map(
            entry ->
                entry.isUnclear()
                    || entry.session() == leader
                    || entry.attempt().map(mark::equals).orElse(false))
        .orElse(false);
  }

  /** The id that was given last; negative if it cannot be read. */
  private long lastId() {
    return text(root.resolve("loadavg"))
        .map(line -> number(line.substring(line.lastIndexOf(' ') + 1)).orElse(-1))
        .orElse(-1L);
  }

  private static Optional<String> text(Path file) {
    try {
      return Optional.of(Files.readString(file, StandardCharsets.US_ASCII).strip());
    } catch (IOException absent) {
      return Optional.empty();
    }
  }

  private static OptionalLong number(String text) {
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
