package dev.weft.itests.cluster;

import static org.awaitility.Awaitility.await;

import dev.weft.testkit.Needs;
import dev.weft.testkit.TwoHosts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two hosts with two interfaces each, as network namespaces; they find each other by mDNS only. */
@Tag("namespaces")
class NamespacesTest extends ClusterTest {
  private static final int MANAGER = 0;
  private static final int AGENT = 1;
  private static final Map<String, List<String>> SETTINGS =
      Map.of(
          "weft.bus", List.of("addresses = *", "insecure = true"),
          "weft.coap", List.of("discovery = false"));

  private TwoHosts hosts;

  @BeforeEach
  void makeHosts() throws IOException {
    Needs.namespaces();
    hosts = new TwoHosts();
  }

  @AfterEach
  void removeHosts() {
    if (hosts != null) {
      hosts.close();
    }
  }

  @Test
  void mdnsFindsAJobRunsAndALinkComesAndGoes() throws Exception {
    cluster.start("manager", "manager", hosts.prefix(MANAGER), SETTINGS);
    cluster.start("agent", "agent", hosts.prefix(AGENT), SETTINGS);
    cluster.awaitReady(1);
    Path file = inputJob();
    run(file);
    assertEachIndexOnce(500);

    hosts.set(MANAGER, 0, false);
    awaitNodes(1);
    run(file);

    hosts.set(MANAGER, 1, false);
    awaitNodes(0);
    hosts.set(MANAGER, 0, true);
    hosts.set(MANAGER, 1, true);
    awaitNodes(1);
    run(file);
    assertEachIndexOnce(500);
  }

  private Path inputJob() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      lines.append(i).append('\n');
    }
    Files.writeString(work.resolve("lines.txt"), lines);
    return Files.writeString(
        work.resolve("lines.yaml"),
        """
        name: lines
        command: [cat]
        input:
          lines: { file: lines.txt, shards: 10 }
        demand: { cpu: 100m, memory: 16MiB }
        output: out.txt
        """);
  }

  private void awaitNodes(int count) {
    await()
        .atMost(Duration.ofSeconds(40))
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> cluster.readyNodes() == count);
  }
}
