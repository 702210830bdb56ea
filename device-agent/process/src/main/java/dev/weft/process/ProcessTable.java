package dev.weft.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads {@code /proc}: which processes there are, their session, and the marks in their
 * environment.
 */
final class ProcessTable {
  private static final int MAXIMUM_ENVIRONMENT = 1 << 20;
  private static final int STATE_FIELD = 0;
  private static final int SESSION_FIELD = 3;

  private final Path proc;

  ProcessTable(Path proc) {
    this.proc = proc;
  }

  /**
   * A process.
   *
   * @param pid its id
   * @param session its session
   * @param node value of {@code WEFT_NODE} in its first environment; empty if none or not readable
   * @param attempt value of {@code WEFT_ATTEMPT_ID} likewise
   */
  record Entry(long pid, long session, Optional<String> node, Optional<String> attempt) {}

  /** Every process that is not a zombie. */
  List<Entry> read() {
    List<Entry> entries = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (Path folder : folders) {
        entry(folder).ifPresent(entries::add);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + proc, e);
    }
    return entries;
  }

  private static Optional<Entry> entry(Path folder) {
    try {
      String stat = Files.readString(folder.resolve("stat"), StandardCharsets.ISO_8859_1);
      // The name, in brackets, may hold anything; the fields begin after the last bracket.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      if (fields[STATE_FIELD].equals("Z")) {
        return Optional.empty();
      }
      String environment = environment(folder);
      return Optional.of(
          new Entry(
              Long.parseLong(folder.getFileName().toString()),
              Long.parseLong(fields[SESSION_FIELD]),
              variable(environment, ProcessExecutor.NODE_MARK),
              variable(environment, ProcessExecutor.ATTEMPT_MARK)));
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // it ended while it was read
    }
  }

  private static String environment(Path folder) {
    try (InputStream in = Files.newInputStream(folder.resolve("environ"))) {
      return new String(in.readNBytes(MAXIMUM_ENVIRONMENT), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return ""; // it belongs to somebody else
    }
  }

  private static Optional<String> variable(String environment, String name) {
    for (String line : environment.split("\0", -1)) {
      if (line.startsWith(name + "=")) {
        return Optional.of(line.substring(name.length() + 1));
      }
    }
    return Optional.empty();
  }
}
