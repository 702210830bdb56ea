package dev.weft.itests.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.testkit.cluster.Cluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a user sees of jobs, on one device that is a whole system. */
class JobCommandsTest extends ClusterTest {
  @Test
  void oneDeviceIsAWholeSystem() throws Exception {
    cluster.start(
        "manager", "all-in-one", List.of(), Map.of("weft.agent", List.of("offer.cpu = 2")));
    cluster.awaitReady(1);
    printsTheResultOfAJobFromStandardInput();
    aFailedTaskIsExitCodeOne();
    whatNeverFitsIsExitCodeTwo();
    onlyItsUserCanReachTheManager();
  }

  private void printsTheResultOfAJobFromStandardInput() {
    Cluster.Answer answer =
        cluster.client(
            List.of(),
            """
            name: sum
            command: [sh, -c, 'seq $WEFT_FROM $WEFT_TO']
            input: { range: { from: 1, to: 1000, shards: 7 } }
            demand: { cpu: 250m, memory: 16MiB }
            merge:
              command: [awk, '{ s += $1 } END { print s }']
            """,
            "job",
            "run",
            "-");
    assertEquals(0, answer.exitCode(), answer.err());
    assertEquals("500500\n", answer.out());
  }

  private void aFailedTaskIsExitCodeOne() throws Exception {
    Path file =
        Files.writeString(
            work.resolve("fails.yaml"),
            """
            name: fails
            command: [sh, -c, 'echo the disk is on fire >&2; exit 7']
            retries: 1
            demand: { cpu: 250m, memory: 16MiB }
            """);
    Cluster.Answer answer = cluster.client("job", "run", file.toString());
    assertEquals(1, answer.exitCode(), answer.err());
    assertTrue(answer.err().contains("exit code 7"), answer.err());
    assertTrue(answer.err().contains("the disk is on fire"), answer.err());
  }

  private void whatNeverFitsIsExitCodeTwo() throws Exception {
    Path file =
        Files.writeString(
            work.resolve("large.yaml"),
            """
            name: large
            command: ['true']
            demand: { cpu: 1000, memory: 16MiB }
            """);
    Cluster.Answer answer = cluster.client("job", "run", file.toString());
    assertEquals(2, answer.exitCode(), answer.err());
    assertTrue(answer.err().contains("needs 1000 cpu, offers 2 cpu"), answer.err());
  }

  private void onlyItsUserCanReachTheManager() throws Exception {
    Path socket =
        Path.of(Files.readString(cluster.process("manager").data().resolve("socket")).strip());
    assertEquals(
        "rwx------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.getParent())));
  }
}
