package dev.weft.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weft.core.job.JobView;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whatever goes wrong on the way, every shard is counted exactly once and nothing stays taken. */
class SchedulerSimulationTest {
  private static final int SHARDS = 40;
  private static final int SEEDS = 200;

  @Test
  void everyShardCountsOnceUnderEveryMishap() {
    Map<Integer, Integer> once =
        IntStream.range(0, SHARDS).boxed().collect(Collectors.toMap(i -> i, i -> 1));
    for (long seed = 0; seed < SEEDS; seed++) {
      SimulatedCluster cluster = new SimulatedCluster(seed, 5);
      Job job = cluster.run(SHARDS);
      String where = "seed " + seed + ": " + cluster.describe(job);
      assertEquals(JobView.State.COMPLETED, job.view().state(), where);
      assertEquals(SHARDS, job.view().counts().done(), where);
      assertEquals(once, cluster.counted(), where);
      assertEquals(Set.of(), cluster.held(), where);
    }
  }
}
