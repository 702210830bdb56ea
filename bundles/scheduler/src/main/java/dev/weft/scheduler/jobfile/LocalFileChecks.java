package dev.weft.scheduler.jobfile;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Asks the file system of this machine. Links are followed. */
public final class LocalFileChecks implements FileChecks {
  @Override
  public Optional<String> readableFile(Path file) {
    if (!Files.exists(file)) {
      return Optional.of("there is no file " + file);
    }
    if (!Files.isRegularFile(file)) {
      return Optional.of(file + " is not a regular file");
    }
    return Files.isReadable(file) ? Optional.empty() : Optional.of(file + " cannot be read");
  }

  @Override
  public Optional<String> readableFolder(Path folder) {
    if (!Files.exists(folder)) {
      return Optional.of("there is no folder " + folder);
    }
    if (!Files.isDirectory(folder)) {
      return Optional.of(folder + " is not a folder");
    }
    return Files.isReadable(folder) && Files.isExecutable(folder)
        ? Optional.empty()
        : Optional.of(folder + " cannot be read");
  }

  @Override
  public Optional<String> writableFile(Path file) {
    if (Files.isDirectory(file)) {
      return Optional.of(file + " is a folder; name a file");
    }
    Path folder = file.getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      return Optional.of("there is no folder " + folder);
    }
    return Files.isWritable(folder)
        ? Optional.empty()
        : Optional.of("folder " + folder + " cannot be written to");
  }
}
