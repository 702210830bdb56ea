package dev.weft.process;

import dev.weft.api.execution.Executor.Launch;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** Finds what would keep a program from starting, to say it in plain words. */
final class LaunchCheck {
  // What execvp(3) takes where the variable is missing.
  private static final String DEFAULT_PATH = "/bin:/usr/bin";

  private LaunchCheck() {}

  /**
   * Checks what is to be run.
   *
   * @param path the task's {@code PATH}, if it has one
   * @return why it cannot be started; empty if nothing speaks against it
   */
  static Optional<String> problem(Launch launch, Optional<String> path) {
    if (launch.arguments().isEmpty() || launch.arguments().get(0).isEmpty()) {
      return Optional.of("no program is named");
    }
    String program = launch.arguments().get(0);
    Path folder = launch.workingFolder();
    if (!Files.isDirectory(folder)) {
      return Optional.of("cannot start '" + program + "': no working folder " + folder);
    }
    if (launch.input().isPresent() && !Files.isReadable(launch.input().get())) {
      return Optional.of(
          "cannot start '" + program + "': cannot read the input " + launch.input().get());
    }
    try {
      return program.contains("/")
          ? named(program, folder.resolve(program))
          : searched(program, folder, path.orElse(DEFAULT_PATH));
    } catch (InvalidPathException e) {
      return Optional.of("cannot start '" + program + "': not a valid name for a program");
    }
  }

  private static Optional<String> named(String program, Path file) {
    if (!Files.exists(file)) {
      return Optional.of("no such program: '" + program + "'");
    }
    if (Files.isDirectory(file)) {
      return Optional.of("cannot start '" + program + "': it is a folder");
    }
    return Files.isExecutable(file)
        ? Optional.empty()
        : Optional.of("cannot start '" + program + "': it may not be executed");
  }

  private static Optional<String> searched(String program, Path folder, String path) {
    boolean present = false;
    for (String part : path.split(":", -1)) {
      Path file = folder.resolve(part).resolve(program);
      if (Files.isRegularFile(file)) {
        if (Files.isExecutable(file)) {
          return Optional.empty();
        }
        present = true;
      }
    }
    return Optional.of(
        present
            ? "cannot start '" + program + "': it may not be executed"
            : "no such program: '" + program + "' is not in the task's PATH " + path);
  }
}
