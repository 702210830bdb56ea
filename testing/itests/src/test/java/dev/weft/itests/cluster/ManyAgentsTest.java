package dev.weft.itests.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Twelve agents and two thousand tasks. */
class ManyAgentsTest extends ClusterTest {
  private static final int AGENTS = 12;
  private static final int TASKS = 2_000;
  private static final int TASK_MILLI = 500;

  /** A change of what is taken of a node, at a time in nanoseconds since the epoch. */
  private record Change(long at, int milli) {}

  @Test
  void allTasksAreDoneAndNoNodeIsGivenMoreThanItOffers() throws Exception {
    cluster.startManager();
    Map<String, Integer> offered = new HashMap<>();
    for (int i = 0; i < AGENTS; i++) {
      int cores = 1 + i % 3;
      cluster.startAgent("agent-" + i, "offer.cpu = " + cores, "labels = number=" + i);
    }
    cluster.awaitReady(AGENTS);
    for (JsonNode node : cluster.client("node", "list", "--json").json().get("nodes")) {
      offered.put(node.get("id").asText(), node.get("offered").get("ree").get("cpuMilli").asInt());
    }

    // The tasks themselves tell when they ran: the manager hears of an end by two ways, and may
    // give the node's amount away again before it has the result.
    Path ran = work.resolve("ran.txt");
    String script =
        "begin=$(date +%s%N); echo $WEFT_TASK; sleep 0.02;"
            + (" echo $WEFT_NODE $begin $(date +%s%N) >> \"" + ran + "\"");
    run(indexJob(TASKS, script, "{ cpu: 500m, memory: 16MiB }"));

    assertEachIndexOnce(TASKS);
    JsonNode list = cluster.client("job", "list", "--json").json().get("jobs");
    JsonNode job = job(list.get(0).get("id").asText());
    assertEquals(TASKS, job.get("tasks").size());
    assertWhereAndWhy(job, "rank 1.0.0");
    List<String> lines = Files.readAllLines(ran);
    assertTrue(lines.size() >= TASKS, () -> lines.size() + " tasks ran");
    Map<String, List<Change>> changes = changesPerNode(lines);
    changes.forEach((node, perNode) -> assertWithin(offered.get(node), perNode));
    assertEquals(AGENTS, changes.size(), "every agent took part");
  }

  private static Map<String, List<Change>> changesPerNode(List<String> lines) {
    Map<String, List<Change>> changes = new HashMap<>();
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      List<Change> node = changes.computeIfAbsent(words[0], id -> new ArrayList<>());
      node.add(new Change(Long.parseLong(words[1]), TASK_MILLI));
      node.add(new Change(Long.parseLong(words[2]), -TASK_MILLI));
    }
    return changes;
  }

  private static void assertWithin(int offeredMilli, List<Change> changes) {
    changes.sort(Comparator.comparing(Change::at).thenComparing(Change::milli));
    int given = 0;
    for (Change change : changes) {
      given += change.milli();
      assertTrue(given <= offeredMilli, given + " of " + offeredMilli + " given at " + change.at());
    }
  }
}
