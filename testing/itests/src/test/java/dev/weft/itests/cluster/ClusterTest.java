package dev.weft.itests.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weft.testkit.cluster.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Starts and ends a cluster of real processes for each test. */
abstract class ClusterTest {
  /** The assembled distribution; built before these tests in the same build. */
  static final Path HOME = Path.of("../../distribution/archive/target/weft").toAbsolutePath();

  // Short lives of a dozen Java machines on two cores: compiling well costs more than it brings.
  private static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";

  @TempDir Path work;
  Cluster cluster;

  @BeforeEach
  void open() {
    cluster = new Cluster(HOME, work, QUICK_COMPILER);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  /** Writes a job file whose tasks print their index. */
  Path indexJob(int count, String script, String demand) throws IOException {
    return Files.writeString(
        work.resolve("job.yaml"),
        """
        name: indexes
        shell: true
        command: '%s'
        input: { count: %d }
        demand: %s
        output: out.txt
        """
            .formatted(script, count, demand));
  }

  /** Submits a job without following it; returns its id. */
  String submit(Path file) {
    Cluster.Answer answer = cluster.client("job", "run", "--detach", "--json", file.toString());
    assertEquals(0, answer.exitCode(), answer.err() + answer.out());
    return answer.json().get("id").asText();
  }

  /** A job as {@code job status --tasks --json} tells it. */
  JsonNode job(String id) {
    Cluster.Answer answer = cluster.client("job", "status", id, "--tasks", "--json");
    assertEquals(0, answer.exitCode(), answer.err());
    return answer.json();
  }

  /** The output holds every index from 0 exactly once, in order. */
  void assertEachIndexOnce(int count) throws IOException {
    List<String> expected = IntStream.range(0, count).mapToObj(Integer::toString).toList();
    assertEquals(expected, Files.readAllLines(work.resolve("out.txt")));
  }

  /** Runs a job file to its end and expects it to succeed. */
  void run(Path file) {
    Cluster.Answer answer = cluster.client("job", "run", file.toString());
    assertEquals(0, answer.exitCode(), answer.err() + answer.out());
  }

  /** Every task's record says where it ran and why. */
  static void assertWhereAndWhy(JsonNode job, String policy) {
    for (JsonNode task : job.get("tasks")) {
      assertEquals("DONE", task.get("state").asText(), task::toString);
      for (JsonNode attempt : task.get("attempts")) {
        assertEquals(64, attempt.get("node").asText().length(), attempt::toString);
        assertEquals(policy, attempt.get("decision").get("policy").asText(), attempt::toString);
        assertTrue(!attempt.get("decision").get("reason").asText().isBlank(), attempt::toString);
      }
    }
  }
}
