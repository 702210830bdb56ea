package dev.weft.itests.cluster;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weft.testkit.cluster.Cluster;
import dev.weft.testkit.cluster.WeftProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Agents that crash or stop in the middle of a job. */
class LostAgentTest extends ClusterTest {
  private static final int TASKS = 60;
  private static final Duration CLEAN = Duration.ofSeconds(10);

  /** On a victim a task never ends by itself, and leaves a daemon behind. */
  private static final String SCRIPT =
      "case $PWD in */victim*) setsid sleep 600 & sleep 600;; esac; sleep 0.2; echo $WEFT_TASK";

  private List<Long> victims;

  @Test
  void aKilledAgentsTasksRunElsewhere() throws Exception {
    String id = startJob(3, 1);
    cluster.process("victim-0").kill();
    awaitCompleted(id);
    cluster.startAgent("victim-0", "offer.cpu = 2");
    awaitGone();
    cluster.awaitReady(3);
  }

  @Test
  void twoAgentsKilledAtOnce() throws Exception {
    String id = startJob(3, 2);
    cluster.process("victim-0").kill();
    cluster.process("victim-1").kill();
    awaitCompleted(id);
    cluster.startAgent("victim-0", "offer.cpu = 2");
    cluster.startAgent("victim-1", "offer.cpu = 2");
    awaitGone();
    cluster.awaitReady(3);
  }

  @Test
  void anAgentThatStandsStillForHalfAMinute() throws Exception {
    String id = startJob(2, 1);
    WeftProcess victim = cluster.process("victim-0");
    victim.signal("STOP");
    long stopped = System.nanoTime();
    awaitCompleted(id);
    await()
        .atMost(Duration.ofSeconds(40))
        .until(() -> System.nanoTime() - stopped > Duration.ofSeconds(30).toNanos());
    victim.signal("CONT");
    awaitGone();
    cluster.awaitReady(2);
  }

  /** Starts agents, of which some are victims, and a job that the victims are in the middle of. */
  private String startJob(int agents, int victimCount) throws Exception {
    cluster.startManager();
    for (int i = 0; i < agents; i++) {
      cluster.startAgent(i < victimCount ? "victim-" + i : "agent-" + i, "offer.cpu = 2");
    }
    cluster.awaitReady(agents);
    Path file = indexJob(TASKS, SCRIPT, "{ cpu: 500m, memory: 16MiB }");
    String id = submit(file);
    await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () -> {
              JsonNode counts = job(id).get("counts");
              return counts.get("done").asInt() > 4 && counts.get("running").asInt() > 0;
            });
    victims = new ArrayList<>();
    for (JsonNode node : cluster.client("node", "list", "--json").json().get("nodes")) {
      victims.addAll(Cluster.processesOf(node.get("id").asText()));
    }
    victims.removeIf(pid -> !runsInVictim(pid));
    assertFalse(victims.isEmpty(), "a victim runs tasks");
    return id;
  }

  private static boolean runsInVictim(long pid) {
    try {
      return Path.of("/proc/" + pid + "/cwd").toRealPath().toString().contains("/victim-");
    } catch (java.io.IOException e) {
      return false; // it has just ended
    }
  }

  private void awaitCompleted(String id) throws Exception {
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> job(id).get("state").asText().equals("COMPLETED"));
    assertEquals(TASKS, job(id).get("counts").get("done").asInt());
    assertEachIndexOnce(TASKS);
  }

  private void awaitGone() {
    await()
        .atMost(CLEAN)
        .until(() -> victims.stream().noneMatch(pid -> ProcessHandle.of(pid).isPresent()));
  }
}
