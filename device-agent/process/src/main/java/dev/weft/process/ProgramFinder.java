package dev.weft.process;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** Finds programs as the shell would, so that a missing one is told before anything is started. */
final class ProgramFinder {
  private ProgramFinder() {}

  /**
   * Why a program cannot be started.
   *
   * @param program as the job names it
   * @param path value of PATH that the program will see
   * @param folder where it starts
   * @return empty if it can be
   */
  static Optional<String> problem(String program, String path, Path folder) {
    try {
      if (!Files.isDirectory(folder)) {
        return Optional.of("the working folder " + folder + " does not exist");
      }
      if (program.contains("/")) {
        return problem(folder.resolve(program), program);
      }
      for (String place : path.split(":", -1)) {
        Path file = folder.resolve(place).resolve(program);
        if (Files.isRegularFile(file) && Files.isExecutable(file)) {
          return Optional.empty();
        }
      }
      return Optional.of("the program '" + program + "' is not on the path of this node: " + path);
    } catch (InvalidPathException e) {
      return Optional.of("'" + program + "' cannot be the name of a program");
    }
  }

  private static Optional<String> problem(Path file, String program) {
    if (!Files.exists(file)) {
      return Optional.of("the program " + program + " does not exist on this node");
    }
    return Files.isRegularFile(file) && Files.isExecutable(file)
        ? Optional.empty()
        : Optional.of("the program " + program + " is not executable on this node");
  }
}
