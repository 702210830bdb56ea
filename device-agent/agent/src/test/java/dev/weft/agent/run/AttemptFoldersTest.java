package dev.weft.agent.run;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.AttemptId;
import dev.weft.api.JobId;
import dev.weft.api.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttemptFoldersTest {
  @TempDir Path home;

  private static AttemptId attempt(int task) {
    return new AttemptId(new TaskId(new JobId("3".repeat(32)), task), 1);
  }

  private static void fill(AttemptFolder folder, int bytes) throws IOException {
    Files.createDirectories(folder.work().resolve("deep/deeper"));
    Files.writeString(folder.work().resolve("deep/file"), "x");
    Files.createSymbolicLink(folder.work().resolve("link"), Path.of("/tmp"));
    Files.write(folder.output(), new byte[bytes]);
    Files.write(folder.errors(), new byte[0]);
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void whatAFormerLifeLeftIsRemoved() throws Exception {
    try (AttemptFolders folders = new AttemptFolders(home, new AttemptFolders.Keep(9, 9))) {
      fill(folders.of(attempt(1)), 1);
      Path locked = folders.of(attempt(1)).work().resolve("deep");
      Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("---------"));
      folders.clear();
      assertEquals(List.of(), names(home.resolve("attempts")));
      await().until(() -> names(home).equals(List.of("attempts")));
    }
  }

  @Test
  void outputsAreKeptByCountAndSize() throws Exception {
    try (AttemptFolders folders = new AttemptFolders(home, new AttemptFolders.Keep(3, 100))) {
      folders.clear();
      Path job = folders.of(attempt(1)).root().getParent();
      for (int i = 1; i <= 5; i++) {
        fill(folders.of(attempt(i)), 10);
        folders.retire(attempt(i));
      }
      await().until(() -> names(job).equals(List.of("3.1", "4.1", "5.1")));
      assertEquals(List.of("stderr", "stdout"), names(folders.of(attempt(3)).root()));
      fill(folders.of(attempt(6)), 90);
      folders.retire(attempt(6));
      await().until(() -> names(job).equals(List.of("5.1", "6.1")));
      fill(folders.of(attempt(7)), 200);
      folders.retire(attempt(7));
      await().until(() -> !Files.exists(job));
      assertTrue(Files.exists(Path.of("/tmp")));
    }
  }

  @Test
  void theEndOfATextIsCutBetweenLetters() throws Exception {
    Path file = home.resolve("text");
    Files.writeString(file, "a" + "€".repeat(10));
    assertEquals("€€", FileTail.text(file, 8));
    Files.write(file, new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff, 'z'});
    assertEquals("\ufffdz", FileTail.text(file, 4));
    assertEquals(0, FileTail.read(file, 99, 10).length);
  }

  @Test
  void aTreeTooDeepForAPathIsRemoved(@TempDir Path folder) throws Exception {
    Path root = Files.createDirectory(folder.resolve("deep"));
    String script =
        "i=0; while [ $i -lt 200 ]; do mkdir "
            + "d".repeat(100)
            + " && cd -P d* || exit 1;"
            + " i=$((i + 1)); done; echo x > file";
    Process process =
        new ProcessBuilder("sh", "-c", script).directory(root.toFile()).inheritIO().start();
    assertEquals(0, process.waitFor());

    Trees.remove(root);

    assertTrue(Files.notExists(root));
  }
}
