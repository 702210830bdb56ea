package dev.weft.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.JobId;
import dev.weft.core.job.JobView;
import dev.weft.scheduler.simulation.SimulatedNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whole jobs in virtual time, with every fault, from a seed. */
class SimulationTest {
  private static final int SEEDS = 250;
  private static final Duration FAULTS = Duration.ofSeconds(60);
  private static final Duration LONGEST = Duration.ofMinutes(30);

  @Test
  void everyJobEndsAndEveryShardCountsOnceUnderFaults() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try {
        underFaults(seed);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + e, e);
      }
    }
  }

  private static void underFaults(long seed) {
    SimulatedCluster cluster = new SimulatedCluster(seed, Specs.SETTINGS);
    Random random = new Random(~seed);
    int count = 2 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      SimulatedNode node = cluster.add(i, 1_000L * (1 + random.nextInt(4)), 6_000);
      node.failures(random.nextInt(3) == 0 ? 0.1 : 0);
    }
    cluster.network.faults(
        random.nextInt(3) * 0.05, random.nextInt(2) * 0.2, random.nextInt(3) * 0.05);
    List<JobId> jobs = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      Specs spec = Specs.of(1_000).retries(100).priority(40 + random.nextInt(3));
      jobs.add(
          cluster.submit(
              i, (random.nextBoolean() ? spec : spec.merged()).spec(), 1 + random.nextInt(40)));
    }
    boolean cancels = random.nextInt(4) == 0;
    while (cluster.time.millis() < FAULTS.toMillis()) {
      cluster.run(Duration.ofMillis(random.nextInt(8_000)));
      fault(cluster, random);
    }
    if (cancels) {
      cluster.cancel(jobs.get(0));
    }
    cluster.network.faults(0, 0, 0);
    cluster.nodes.values().forEach(node -> node.failures(0));
    cluster.runToEnd(LONGEST);
    for (JobId job : jobs) {
      JobView view = cluster.core.view(job).orElseThrow();
      if (!cancels || !job.equals(jobs.get(0))) {
        assertEquals(JobView.State.COMPLETED, view.state(), view::toString);
        assertEquals(view.counts().total(), view.counts().done(), view::toString);
      }
      assertEquals(
          view.state() == JobView.State.COMPLETED,
          !cluster.delivered(job).isEmpty(),
          view::toString);
    }
  }

  private static void fault(SimulatedCluster cluster, Random random) {
    List<SimulatedNode> nodes = List.copyOf(cluster.nodes.values());
    SimulatedNode node = nodes.get(random.nextInt(nodes.size()));
    if (!node.answers()) {
      return;
    }
    switch (random.nextInt(3)) {
      case 0 -> cluster.crash(node, random.nextInt(25_000));
      case 1 -> cluster.pause(node, random.nextInt(30_000));
      default -> {
        // nothing this time
      }
    }
  }

  @Test
  void withoutFaultsNoNodeEverRefusesAndEachTaskRunsOnce() {
    SimulatedCluster cluster = new SimulatedCluster(7, Specs.SETTINGS);
    for (int i = 0; i < 12; i++) {
      cluster.add(i, 4_000, 50);
    }
    JobId job = cluster.submit(1, Specs.of(1_000).spec(), 2_000);
    cluster.runToEnd(LONGEST);
    assertEquals(0, cluster.refusedByNodes());
    assertEquals(2_000, cluster.delivered(job).size());
    long once =
        cluster.core.job(job).orElseThrow().taskViews().stream()
            .filter(task -> task.attempts().size() == 1)
            .count();
    assertEquals(2_000, once);
    assertTrue(
        cluster.pool.requests() < 4 * 2_000, "asked for " + cluster.pool.requests() + " nodes");
    assertTrue(cluster.time.millis() < 10_000, "took " + cluster.time.millis() + " ms");
  }
}
