package dev.weft.staging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.testkit.Needs;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildTransferTest {
  private static final long LARGE = 300L << 20;

  @TempDir Path folder;

  @Test
  void largeContentPassesThroughASmallHeap() throws Exception {
    Path file = sparse(LARGE);

    assertEquals("fetched " + LARGE, run(List.of(), file, folder.resolve("node")));
    assertEquals(LARGE, Files.size(folder.resolve("node/target")));
  }

  @Test
  @Tag("namespaces")
  void fullDiskIsNamed() throws Exception {
    Needs.need(
        run(List.of("sh", "-c", "unshare -m true")).isEmpty(),
        "mount namespaces cannot be made: this needs root");
    Path file = sparse(8 << 20);
    Path node = Files.createDirectory(folder.resolve("node"));
    String mount = "mount -t tmpfs -o size=2m tmpfs " + node + " && exec \"$@\"";

    String answer = run(List.of("unshare", "-m", "sh", "-c", mount, "sh"), file, node);

    assertTrue(answer.startsWith("cannot write " + node + "/fetching/1.part: No space"), answer);
    assertTrue(answer.contains(" are free there, make room [staging.disk]"), answer);
    assertTrue(answer.contains("; 0 B are"), answer);
  }

  private Path sparse(long length) throws IOException {
    Path path = folder.resolve("input");
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(length);
    }
    return path;
  }

  private String run(List<String> wrapper, Path file, Path node) throws Exception {
    List<String> command = new ArrayList<>(wrapper);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx32m",
            "-XX:MaxDirectMemorySize=8m",
            "-cp",
            System.getProperty("java.class.path"),
            ChildTransfer.class.getName(),
            file.toString(),
            folder.resolve("manager").toString(),
            node.toString()));
    return run(command);
  }

  private static String run(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    return output.strip();
  }
}
