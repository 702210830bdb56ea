package dev.weft.shell.client;

import dev.weft.shell.command.CommandException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Finds the manager's socket. */
final class SocketFinder {
  private static final int MAXIMUM_PATH = 4_096;

  private SocketFinder() {}

  /**
   * The data folder: {@code --data}, else {@code WEFT_DATA}, else the usual place.
   *
   * @param folder current folder, which a relative one starts from
   */
  static Path dataFolder(Optional<String> option, Map<String, String> variables, Path folder) {
    Optional<String> named =
        option.or(() -> Optional.ofNullable(variables.get("WEFT_DATA")).filter(v -> !v.isEmpty()));
    if (named.isPresent()) {
      return folder.resolve(named.get()).normalize();
    }
    String shared = variables.getOrDefault("XDG_DATA_HOME", "");
    Path base =
        shared.isEmpty()
            ? Path.of(variables.getOrDefault("HOME", "/tmp"), ".local", "share")
            : Path.of(shared);
    return base.resolve("weft").resolve("manager");
  }

  /** The socket that a data folder names. */
  static Path socket(Path dataFolder) throws CommandException {
    Path pointer = dataFolder.resolve("socket");
    try (InputStream input = Files.newInputStream(pointer)) {
      String text = new String(input.readNBytes(MAXIMUM_PATH), StandardCharsets.UTF_8).strip();
      return Path.of(text);
    } catch (IOException | InvalidPathException e) {
      throw nobody(pointer);
    }
  }

  /** Says that no manager is there. */
  static CommandException nobody(Path lookedAt) {
    return new CommandException(
        "no manager is running here (looked at "
            + lookedAt
            + "): start one with 'weft manager' or give --data");
  }
}
