package dev.weft.testkit.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.AttemptId;
import dev.weft.api.Demand;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.TaskId;
import dev.weft.api.policy.NodeView;
import dev.weft.api.policy.PlacementPolicy;
import dev.weft.api.policy.PlacementPolicy.Decision;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.api.policy.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What every placement policy must keep. A policy's test extends this. */
public abstract class PlacementPolicyContract {
  private static final JobId JOB = new JobId("0".repeat(32));

  /** The policy under test, with its defaults. */
  protected abstract PlacementPolicy policy();

  /** A request of task {@code index}. */
  protected static Request request(int index, Resources resources) {
    return new Request(attempt(index), Demand.of(resources));
  }

  /** The first attempt of task {@code index}. */
  protected static AttemptId attempt(int index) {
    return new AttemptId(new TaskId(JOB, index), 1);
  }

  @Test
  void nothingIsEverPlacedBeyondWhatIsFree() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      Pool pool = randomPool(random);
      List<Request> requests = randomRequests(random);
      List<Decision> decisions = policy().place(requests, pool, seed);
      assertEquals(requests.size(), decisions.size(), "seed " + seed);
      Map<NodeId, Resources> free = new HashMap<>();
      pool.nodes().forEach(node -> free.put(node.id(), node.free()));
      for (int i = 0; i < decisions.size(); i++) {
        assertEquals(requests.get(i).attempt(), decisions.get(i).attempt(), "seed " + seed);
        check(requests.get(i), decisions.get(i), pool, free, "seed " + seed + " request " + i);
      }
    }
  }

  private static void check(
      Request request, Decision decision, Pool pool, Map<NodeId, Resources> free, String where) {
    if (decision instanceof Decision.Proposal proposal) {
      NodeView node = pool.node(proposal.node()).orElseThrow();
      assertEquals(
          Optional.empty(), Refusal.check(request.demand(), node, free.get(node.id())), where);
      free.compute(
          node.id(),
          (id, amount) ->
              amount.minusAtMost(amount.allocate(request.demand().resources()).orElseThrow()));
    } else {
      Decision.NoNode none = assertInstanceOf(Decision.NoNode.class, decision, where);
      assertEquals(pool.byId().keySet(), none.reasons().keySet(), where);
      for (NodeView node : pool.nodes()) {
        assertTrue(
            Refusal.check(request.demand(), node, free.get(node.id())).isPresent(),
            where + ": refused although " + node + " fits");
      }
    }
  }

  @Test
  void sameArgumentsSameAnswer() {
    for (long seed = 0; seed < 20; seed++) {
      Pool pool = randomPool(new Random(seed));
      List<Request> requests = randomRequests(new Random(seed));
      assertEquals(
          policy().place(requests, pool, seed),
          policy().place(requests, pool, seed),
          "seed " + seed);
    }
  }

  @Test
  void labelsAreHardNeeds() {
    NodeView plain = Pool.node(1, 64, 65_536, 8);
    NodeView labelled =
        new NodeView(
            Pool.id(2),
            "labelled",
            plain.offered(),
            Pool.resources(1, 256, 0),
            new TreeMap<>(Map.of("site", "roof")),
            0);
    Demand demand = new Demand(Pool.resources(1, 128, 0), new TreeMap<>(Map.of("site", "roof")));
    List<Decision> decisions =
        policy()
            .place(
                List.of(new Request(attempt(0), demand), new Request(attempt(1), demand)),
                Pool.of(plain, labelled),
                1);
    assertEquals(Pool.id(2), assertInstanceOf(Decision.Proposal.class, decisions.get(0)).node());
    Decision.NoNode none = assertInstanceOf(Decision.NoNode.class, decisions.get(1));
    assertEquals("label.missing", none.reasons().get(Pool.id(1)).code());
    assertEquals("resources.lacking", none.reasons().get(Pool.id(2)).code());
  }

  @Test
  void anEmptyPoolRefusesWithoutReasons() {
    List<Decision> decisions =
        policy().place(List.of(request(0, Pool.resources(1, 1, 0))), Pool.of(), 1);
    assertEquals(List.of(new Decision.NoNode(attempt(0), Map.of())), decisions);
  }

  @Test
  void endsInTimeForAThousandRequestsOnAThousandNodes() {
    NodeView[] nodes = new NodeView[1000];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = Pool.node(i, 8, 8192, 0);
    }
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      requests.add(request(i, Pool.resources(1, 512, 0)));
    }
    assertTimeoutPreemptively(
        Duration.ofSeconds(2), () -> policy().place(requests, Pool.of(nodes), 1));
  }

  private static Pool randomPool(Random random) {
    NodeView[] nodes = new NodeView[random.nextInt(12)];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = Pool.node(i, random.nextInt(9), random.nextInt(16) * 512L, random.nextInt(3));
    }
    return Pool.of(nodes);
  }

  private static List<Request> randomRequests(Random random) {
    List<Request> requests = new ArrayList<>();
    int count = 1 + random.nextInt(30);
    for (int i = 0; i < count; i++) {
      requests.add(
          request(
              i,
              Pool.resources(
                  random.nextInt(8) / 2.0, random.nextInt(8) * 256L, random.nextInt(4) / 2.0)));
    }
    return requests;
  }
}
