package dev.weft.scheduler.jobfile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalFileChecksTest {
  private final FileChecks checks = new LocalFileChecks();

  @TempDir Path folder;

  @Test
  void files() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));

    assertEquals(Optional.empty(), checks.readableFile(file));
    assertEquals(Optional.of(folder + " is not a regular file"), checks.readableFile(folder));
    assertEquals(
        Optional.of("there is no file " + folder.resolve("gone")),
        checks.readableFile(folder.resolve("gone")));
  }

  @Test
  void folders() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));

    assertEquals(Optional.empty(), checks.readableFolder(folder));
    assertEquals(Optional.of(file + " is not a folder"), checks.readableFolder(file));
    assertEquals(
        Optional.of("there is no folder " + folder.resolve("gone")),
        checks.readableFolder(folder.resolve("gone")));
  }

  @Test
  void outputs() {
    Path nowhere = folder.resolve("gone").resolve("result");

    assertEquals(Optional.empty(), checks.writableFile(folder.resolve("result")));
    assertEquals(Optional.of(folder + " is a folder; name a file"), checks.writableFile(folder));
    assertEquals(
        Optional.of("there is no folder " + folder.resolve("gone")), checks.writableFile(nowhere));
  }
}
