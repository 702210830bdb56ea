package dev.weft.resources.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.weft.api.AttemptId;
import dev.weft.api.Demand;
import dev.weft.api.Environment;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import dev.weft.api.TaskId;
import dev.weft.api.policy.NodeOrder;
import dev.weft.api.policy.NodeOrder.Weight;
import dev.weft.api.policy.NodeView;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.testkit.policy.Pool;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PoolTreeTest {
  private static final AttemptId ATTEMPT =
      new AttemptId(new TaskId(new JobId("0".repeat(32)), 0), 1);
  private static final NodeOrder EMPTIEST =
      new NodeOrder(
          new TreeMap<>(
              Map.of(
                  ResourceType.CPU, new Weight(1, 1000),
                  ResourceType.MEMORY, new Weight(1, 1 << 30))));
  private static final NodeOrder FULLEST =
      new NodeOrder(new TreeMap<>(Map.of(ResourceType.CPU, new Weight(-1, 1000))));

  @Test
  void findsTheFirstOfTheOrderThatFits() {
    PoolTree pool = pool(EMPTIEST, Pool.node(1, 4, 1024, 0), Pool.node(2, 8, 1024, 0));
    assertEquals(Optional.of(Pool.id(2)), first(pool, Pool.resources(1, 1, 0)));
    assertEquals(Optional.of(Pool.id(1)), first(pool.withOrder(FULLEST), Pool.resources(1, 1, 0)));
    assertEquals(Optional.of(Pool.id(2)), first(pool.withOrder(FULLEST), Pool.resources(5, 1, 0)));
    assertEquals(Optional.empty(), first(pool, Pool.resources(9, 1, 0)));
    assertEquals(9, pool.first(request(Pool.resources(1, 1, 0))).orElseThrow().rank());
  }

  @Test
  void wishesComeFirstAndWhatIsToBeTriedLastComesLast() {
    PoolTree pool =
        pool(
            EMPTIEST,
            Pool.node(1, 4, 1024, 0),
            Pool.node(2, 8, 1024, 0),
            Pool.node(3, 16, 1024, 0));
    Demand one = Demand.of(Pool.resources(1, 1, 0));
    assertEquals(Optional.of(Pool.id(1)), first(pool, one, Optional.of(Pool.id(1)), Set.of()));
    assertEquals(Optional.of(Pool.id(3)), first(pool, one, Optional.of(Pool.id(9)), Set.of()));
    assertEquals(
        Optional.of(Pool.id(1)),
        first(pool, one, Optional.empty(), Set.of(Pool.id(2), Pool.id(3))));
    Demand five = Demand.of(Pool.resources(5, 1, 0));
    assertEquals(Optional.of(Pool.id(3)), first(pool, five, Optional.of(Pool.id(1)), Set.of()));
    assertEquals(
        Optional.of(Pool.id(3)),
        first(pool, five, Optional.empty(), Set.of(Pool.id(2), Pool.id(3))));
  }

  @Test
  void aVersionStaysAsItWas() {
    PoolTree before = pool(EMPTIEST, Pool.node(1, 4, 1024, 0), Pool.node(2, 8, 1024, 0));
    NodeView node = before.node(Pool.id(2)).orElseThrow();
    PoolTree after = before.with(node.withFree(Resources.NONE)).without(Pool.id(1));
    assertEquals(Optional.of(Pool.id(2)), first(before, Pool.resources(1, 1, 0)));
    assertEquals(Optional.empty(), first(after, Pool.resources(1, 1, 0)));
    assertEquals(2, before.size());
    assertEquals(1, after.size());
    assertSame(after, after.without(Pool.id(1)));
    assertEquals(0, after.without(Pool.id(2)).size());
  }

  @Test
  void tellsWhatIsShort() {
    PoolTree pool = pool(EMPTIEST, Pool.node(1, 4, 8192, 1), Pool.node(2, 8, 1024, 0));
    assertEquals(List.of(), pool.shortages(Demand.of(Pool.resources(8, 8192, 1))));
    assertEquals(
        List.of(
            new Resources.Lack(Environment.REE, ResourceType.CPU, 9000, 8000),
            new Resources.Lack(Environment.REE, ResourceType.GPU, 2000, 1000)),
        pool.shortages(Demand.of(Pool.resources(9, 8192, 2))));
    assertEquals(
        List.of(new Resources.Lack(Environment.REE, ResourceType.CPU, 1000, 0)),
        PoolTree.empty(EMPTIEST).shortages(Demand.of(Pool.resources(1, 0, 0))));
  }

  @Test
  void saysOfEachNodeWhyItCannot() {
    PoolTree pool = pool(EMPTIEST, Pool.node(1, 4, 1024, 0), Pool.node(2, 8, 1024, 0));
    var reasons = pool.explain(Demand.of(Pool.resources(5, 1, 0)));
    assertEquals(List.of(Pool.id(1), Pool.id(2)), List.copyOf(reasons.keySet()));
    assertEquals("needs 5 cpu, has 4 cpu free", reasons.get(Pool.id(1)).orElseThrow().message());
    assertEquals(Optional.empty(), reasons.get(Pool.id(2)));
    assertEquals(null, reasons.get(Pool.id(3)));
  }

  /** Walking the nodes that do not fit would take minutes. */
  @Test
  void doesNotWalkNodesThatCannotFit() {
    Random random = new Random(1);
    PoolTree pool = PoolTree.empty(EMPTIEST);
    for (int i = 0; i < 20_000; i++) {
      boolean memory = random.nextBoolean();
      double cores = memory ? random.nextInt(4) : 4 + random.nextInt(124);
      long mebibytes = memory ? 4096 + random.nextInt(1 << 20) : random.nextInt(4096);
      pool = pool.with(Pool.node(i, cores, mebibytes, 0));
    }
    PoolTree all = pool.with(Pool.node(20_000, 4, 4096, 0));
    assertTimeout(
        Duration.ofSeconds(20),
        () -> {
          for (int i = 0; i < 100_000; i++) {
            assertEquals(Optional.of(Pool.id(20_000)), first(all, Pool.resources(4, 4096, 0)));
          }
        });
  }

  private static PoolTree pool(NodeOrder order, NodeView... nodes) {
    PoolTree pool = PoolTree.empty(order);
    for (NodeView node : nodes) {
      pool = pool.with(node);
    }
    return pool;
  }

  private static Request request(Resources resources) {
    return new Request(ATTEMPT, Demand.of(resources));
  }

  private static Optional<NodeId> first(PoolTree pool, Resources resources) {
    return pool.first(request(resources)).map(found -> found.node().id());
  }

  private static Optional<NodeId> first(
      PoolTree pool, Demand demand, Optional<NodeId> first, Set<NodeId> last) {
    return pool.first(new Request(ATTEMPT, demand, OptionalLong.empty(), first, last))
        .map(found -> found.node().id());
  }
}
