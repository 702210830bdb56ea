package dev.weft.agent.probe;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the small files by which the kernel tells about itself, below a root folder. */
final class SystemFiles {
  private static final int MAXIMUM_BYTES = 1024 * 1024;
  private static final int MAXIMUM_ENTRIES = 1024;

  private final Path root;

  /** Files below a folder; {@code /} but for tests. */
  SystemFiles(Path root) {
    this.root = root;
  }

  /** The text of a file, its first 1 MiB at most; empty if it cannot be read. */
  Optional<String> text(String path) {
    try (InputStream in = Files.newInputStream(root.resolve(path))) {
      return Optional.of(new String(in.readNBytes(MAXIMUM_BYTES), StandardCharsets.UTF_8));
    } catch (IOException absent) {
      return Optional.empty();
    }
  }

  /** The text of a file without white space around it. */
  Optional<String> value(String path) {
    return text(path).map(String::strip).filter(text -> !text.isEmpty());
  }

  /** Names in a folder, sorted, 1024 at most; none if it cannot be read. */
  List<String> names(String path) {
    List<String> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(root.resolve(path))) {
      for (Path entry : entries) {
        if (found.size() == MAXIMUM_ENTRIES) {
          break;
        }
        found.add(entry.getFileName().toString());
      }
    } catch (IOException absent) {
      return List.of();
    }
    found.sort(null);
    return found;
  }

  /** The last name of what a link or folder really is, such as a PCI address. */
  Optional<String> realName(String path) {
    try {
      return Optional.of(root.resolve(path).toRealPath().getFileName().toString());
    } catch (IOException absent) {
      return Optional.empty();
    }
  }
}
