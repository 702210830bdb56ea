package dev.weft.agent.probe;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads small files of the kernel, of which no more than 1 MiB is looked at. */
final class Lines {
  private static final int MAXIMUM = 1 << 20;

  private Lines() {}

  static List<String> of(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(MAXIMUM), StandardCharsets.UTF_8).lines().toList();
    }
  }

  /** The first line without blanks around it; empty if the file is not there or is empty. */
  static Optional<String> first(Path file) {
    try {
      return of(file).stream().findFirst().map(String::strip).filter(line -> !line.isEmpty());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The value after {@code key} and a separator, of the first line that has it. */
  static Optional<String> value(List<String> lines, String key, char separator) {
    for (String line : lines) {
      int at = line.indexOf(separator);
      if (at > 0 && line.substring(0, at).strip().equals(key)) {
        return Optional.of(line.substring(at + 1).strip());
      }
    }
    return Optional.empty();
  }
}
