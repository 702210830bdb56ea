package dev.weft.scheduler.jobfile;

import java.nio.file.Path;
import java.util.Optional;

/** What a job file's reader asks of the file system. Each answer is empty or says what is wrong. */
public interface FileChecks {
  /** Whether this is a regular file that can be read. */
  Optional<String> readableFile(Path file);

  /** Whether this is a folder that can be listed. */
  Optional<String> readableFolder(Path folder);

  /** Whether a file can be written here: its folder exists and allows it. */
  Optional<String> writableFile(Path file);
}
