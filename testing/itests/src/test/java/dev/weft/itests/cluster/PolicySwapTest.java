package dev.weft.itests.cluster;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A placement policy that is dropped into the running manager and removed again. */
class PolicySwapTest extends ClusterTest {
  private static final Path EXAMPLE =
      Path.of("../../examples/policy/target/last-node-policy.jar").toAbsolutePath();

  @Test
  void theNextJobUsesItAndARunningOneGoesOn() throws Exception {
    var manager = cluster.startManager();
    cluster.startAgent("one", "offer.cpu = 2");
    cluster.startAgent("two", "offer.cpu = 2");
    cluster.awaitReady(2);
    awaitPolicy("rank 1.0.0");
    String running =
        submit(indexJob(40, "sleep 0.4; echo $WEFT_TASK", "{ cpu: 1, memory: 16MiB }"));

    Path dropped = manager.data().resolve("deploy/policy.jar");
    Files.copy(EXAMPLE, dropped);
    awaitPolicy("last 2.1.0");
    assertWhereAndWhy(runNext(), "last 2.1.0");

    Files.delete(dropped);
    awaitPolicy("rank 1.0.0");
    assertWhereAndWhy(runNext(), "rank 1.0.0");
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> job(running).get("state").asText().equals("COMPLETED"));
    assertEachIndexOnce(40);
    assertEquals(0, job(running).get("counts").get("failed").asInt());
  }

  private com.fasterxml.jackson.databind.JsonNode runNext() throws IOException {
    Path file =
        Files.writeString(
            work.resolve("next.yaml"),
            """
            name: next
            command: [echo, next]
            input: { count: 4 }
            demand: { cpu: 100m, memory: 16MiB }
            priority: 90
            """);
    String id = submit(file);
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> job(id).get("state").asText().equals("COMPLETED"));
    return job(id);
  }

  private void awaitPolicy(String policy) {
    await()
        .atMost(Duration.ofSeconds(15))
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () -> {
              var status = cluster.client("status", "--json");
              return status.exitCode() == 0
                  && status.json().at("/placementPolicy").asText().equals(policy);
            });
  }
}
