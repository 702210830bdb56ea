package dev.weft.scheduler.jobfile;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/** Reads paths in a job file and has them checked. */
final class Paths {
  private static final int MAXIMUM_LENGTH = 4_096;

  private final Path base;
  private final FileChecks checks;

  /**
   * For one job file.
   *
   * @param base folder that relative paths start from
   */
  Paths(Path base, FileChecks checks) {
    this.base = base;
    this.checks = checks;
  }

  Optional<Path> file(Value value) {
    return read(value, "the path of a file", checks::readableFile);
  }

  Optional<Path> folder(Value value) {
    return read(value, "the path of a folder", checks::readableFolder);
  }

  Optional<Path> output(Value value) {
    return read(value, "the path of a file", checks::writableFile);
  }

  private Optional<Path> read(
      Value value, String expected, Function<Path, Optional<String>> check) {
    Optional<String> text = value.text(expected, MAXIMUM_LENGTH);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      Path path = base.resolve(text.get()).normalize();
      Optional<String> wrong = check.apply(path);
      wrong.ifPresent(value::problem);
      return wrong.isPresent() ? Optional.empty() : Optional.of(path);
    } catch (InvalidPathException e) {
      return value.unexpected(expected);
    }
  }
}
