package dev.weft.itests.cluster;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weft.testkit.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two hosts with two interfaces each, as network namespaces; they find each other by mDNS only. */
@Tag("namespaces")
class NamespacesTest extends ClusterTest {
  private static final String MANAGER = "weft-it-m";
  private static final String AGENT = "weft-it-a";
  private static final Map<String, List<String>> SETTINGS =
      Map.of(
          "weft.bus", List.of("addresses = *", "insecure = true"),
          "weft.coap", List.of("discovery = false"));

  @BeforeEach
  void makeHosts() throws Exception {
    Needs.namespaces();
    removeHosts();
    ip("netns", "add", MANAGER);
    ip("netns", "add", AGENT);
    for (int i = 0; i < 2; i++) {
      ip(
          "link", "add", "wm" + i, "netns", MANAGER, "type", "veth", "peer", "name", "wa" + i,
          "netns", AGENT);
      ip("-n", MANAGER, "addr", "add", "10.8" + i + ".0.1/24", "dev", "wm" + i);
      ip("-n", AGENT, "addr", "add", "10.8" + i + ".0.2/24", "dev", "wa" + i);
      ip("-n", MANAGER, "link", "set", "wm" + i, "up");
      ip("-n", AGENT, "link", "set", "wa" + i, "up");
    }
    ip("-n", MANAGER, "link", "set", "lo", "up");
    ip("-n", AGENT, "link", "set", "lo", "up");
  }

  @AfterEach
  void removeHosts() throws Exception {
    tryIp("netns", "del", MANAGER);
    tryIp("netns", "del", AGENT);
  }

  @Test
  void mdnsFindsAJobRunsAndALinkComesAndGoes() throws Exception {
    cluster.start("manager", "manager", List.of("ip", "netns", "exec", MANAGER), SETTINGS);
    cluster.start("agent", "agent", List.of("ip", "netns", "exec", AGENT), SETTINGS);
    cluster.awaitReady(1);
    Path file = inputJob();
    run(file);
    assertEachIndexOnce(500);

    ip("-n", MANAGER, "link", "set", "wm0", "down");
    awaitNodes(1);
    run(file);

    ip("-n", MANAGER, "link", "set", "wm1", "down");
    awaitNodes(0);
    ip("-n", MANAGER, "link", "set", "wm0", "up");
    ip("-n", MANAGER, "link", "set", "wm1", "up");
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

  private static void ip(String... arguments) throws Exception {
    assertEquals(0, tryIp(arguments), () -> "ip " + String.join(" ", arguments));
  }

  private static int tryIp(String... arguments) throws Exception {
    List<String> command = new java.util.ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    process.waitFor(10, TimeUnit.SECONDS);
    return process.exitValue();
  }
}
