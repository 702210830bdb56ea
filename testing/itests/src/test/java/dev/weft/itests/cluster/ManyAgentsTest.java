package dev.weft.itests.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
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

  /** A change of what a node has given away. */
  private record Change(Instant at, int milli) {}

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

    run(indexJob(TASKS, "echo $WEFT_TASK", "{ cpu: 500m, memory: 16MiB }"));

    assertEachIndexOnce(TASKS);
    JsonNode list = cluster.client("job", "list", "--json").json().get("jobs");
    JsonNode job = job(list.get(0).get("id").asText());
    assertEquals(TASKS, job.get("tasks").size());
    assertWhereAndWhy(job, "rank 1.0.0");
    changesPerNode(job).forEach((node, changes) -> assertWithin(offered.get(node), changes));
    assertEquals(AGENTS, changesPerNode(job).size(), "every agent took part");
  }

  private static Map<String, List<Change>> changesPerNode(JsonNode job) {
    Map<String, List<Change>> changes = new HashMap<>();
    for (JsonNode task : job.get("tasks")) {
      for (JsonNode attempt : task.get("attempts")) {
        List<Change> node =
            changes.computeIfAbsent(attempt.get("node").asText(), id -> new ArrayList<>());
        node.add(new Change(Instant.parse(attempt.get("started").asText()), TASK_MILLI));
        node.add(new Change(Instant.parse(attempt.get("ended").asText()), -TASK_MILLI));
      }
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
