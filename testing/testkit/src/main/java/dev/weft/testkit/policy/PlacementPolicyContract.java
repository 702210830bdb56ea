package dev.weft.testkit.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.Amount;
import dev.weft.api.AttemptId;
import dev.weft.api.Demand;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import dev.weft.api.TaskId;
import dev.weft.api.policy.NodeOrder;
import dev.weft.api.policy.NodeView;
import dev.weft.api.policy.PlacementPolicy;
import dev.weft.api.policy.PlacementPolicy.Decision;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.api.policy.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What every placement policy must keep. A policy's test extends this. */
public abstract class PlacementPolicyContract {
  private static final JobId JOB = new JobId("0".repeat(32));
  private static final int SEEDS = 200;

  /** The policy under test, with its defaults. */
  protected abstract PlacementPolicy policy();

  /** A request of task {@code index}. */
  protected static Request request(int index, Resources resources) {
    return new Request(attempt(index), Demand.of(resources));
  }

  /** A request of a gang. */
  protected static Request member(int index, Resources resources, long gang) {
    return new Request(
        attempt(index), Demand.of(resources), OptionalLong.of(gang), Optional.empty(), Set.of());
  }

  /** A request with nodes to be tried first and last. */
  protected static Request preferring(
      int index, Resources resources, Optional<NodeId> first, Set<NodeId> last) {
    return new Request(attempt(index), Demand.of(resources), OptionalLong.empty(), first, last);
  }

  /** The first attempt of task {@code index}. */
  protected static AttemptId attempt(int index) {
    return new AttemptId(new TaskId(JOB, index), 1);
  }

  /** The node that a decision proposes. */
  protected static NodeId node(Decision decision) {
    return assertInstanceOf(Decision.Proposal.class, decision).node();
  }

  private static boolean isPlaced(Decision decision) {
    return decision instanceof Decision.Proposal;
  }

  // Capacity, labels and devices
  // -------------------------------------------------------------------

  @Test
  void nothingIsEverPlacedBeyondWhatIsFree() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      Pool pool = randomPool(random);
      List<Request> requests = randomRequests(random);
      List<Decision> decisions = policy().place(requests, pool, seed);
      assertEquals(requests.size(), decisions.size(), "seed " + seed);
      Map<NodeId, NodeView> nodes = new HashMap<>(pool.byId());
      for (List<Integer> unit : units(requests)) {
        check(unit, requests, decisions, nodes, "seed " + seed + " requests " + unit);
      }
    }
  }

  private static void check(
      List<Integer> unit,
      List<Request> requests,
      List<Decision> decisions,
      Map<NodeId, NodeView> nodes,
      String where) {
    int placed = 0;
    for (int i : unit) {
      Request request = requests.get(i);
      assertEquals(request.attempt(), decisions.get(i).attempt(), where);
      if (decisions.get(i) instanceof Decision.Proposal proposal) {
        NodeView node = nodes.get(proposal.node());
        assertEquals(Optional.empty(), Refusal.check(request.demand(), node, node.free()), where);
        nodes.put(node.id(), without(node, request.demand()));
        placed++;
      }
    }
    assertTrue(placed == 0 || placed == unit.size(), where + ": a part of a gang is placed");
    if (placed == 0 && unit.size() == 1) {
      checkRefused(requests.get(unit.get(0)), decisions.get(unit.get(0)), nodes, where);
    }
  }

  private static void checkRefused(
      Request request, Decision decision, Map<NodeId, NodeView> nodes, String where) {
    Decision.NoNode none = assertInstanceOf(Decision.NoNode.class, decision, where);
    assertEquals(nodes.keySet(), none.reasons().keySet(), where);
    for (NodeView node : nodes.values()) {
      assertTrue(
          Refusal.check(request.demand(), node, node.free()).isPresent(),
          () -> where + ": refused although " + node + " fits");
    }
  }

  private static NodeView without(NodeView node, Demand demand) {
    return node.withFree(
        node.free().minusAtMost(node.free().allocate(demand.resources()).orElseThrow()));
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
    assertEquals(Pool.id(2), node(decisions.get(0)));
    Decision.NoNode none = assertInstanceOf(Decision.NoNode.class, decisions.get(1));
    assertEquals("label.missing", none.reasons().get(Pool.id(1)).code());
    assertEquals("resources.lacking", none.reasons().get(Pool.id(2)).code());
  }

  @Test
  void aShareLiesOnOneDevice() {
    // Two devices of which 0.6 each are taken: together 0.8 are free, on one 0.4.
    NodeView idle = Pool.node(1, 8, 8192, 2);
    NodeView used =
        without(
            without(idle, Demand.of(Pool.resources(0, 0, 0.6))),
            Demand.of(Pool.resources(0, 0, 0.6)));
    List<Decision> decisions =
        policy()
            .place(
                List.of(
                    request(0, Pool.resources(1, 1, 0.5)),
                    request(1, Pool.resources(1, 1, 0.4)),
                    request(2, Pool.resources(1, 1, 0.4)),
                    request(3, Pool.resources(1, 1, 0.1))),
                Pool.of(used),
                1);
    assertEquals(
        List.of(false, true, true, false),
        decisions.stream().map(PlacementPolicyContract::isPlaced).toList());
  }

  @Test
  void wholeDevicesAreWholeAndTheirMemoryCounts() {
    Pool pool = Pool.of(Pool.node(1, 8, 8192, 3));
    List<Decision> decisions =
        policy()
            .place(
                List.of(
                    request(0, withGpuMemory(1, Pool.GPU_MEMORY_MIB + 1)),
                    request(1, withGpuMemory(0.5, Pool.GPU_MEMORY_MIB)),
                    request(2, withGpuMemory(2, Pool.GPU_MEMORY_MIB)),
                    request(3, withGpuMemory(0.5, 1)),
                    request(4, Pool.resources(1, 1, 0.5))),
                pool,
                1);
    assertEquals(
        List.of(false, true, true, false, true),
        decisions.stream().map(PlacementPolicyContract::isPlaced).toList());
  }

  private static Resources withGpuMemory(double gpus, long memoryMiB) {
    return Resources.ree(
        Amount.of(
            Map.of(
                ResourceType.CPU,
                1000L,
                ResourceType.GPU,
                Math.round(gpus * 1000),
                ResourceType.GPU_MEMORY,
                memoryMiB << 20)));
  }

  @Test
  void anEmptyPoolRefusesWithoutReasons() {
    List<Decision> decisions =
        policy().place(List.of(request(0, Pool.resources(1, 1, 0))), Pool.of(), 1);
    assertEquals(List.of(new Decision.NoNode(attempt(0), Map.of())), decisions);
  }

  // Gangs and preferences
  // ----------------------------------------------------------------------------

  @Test
  void aGangIsPlacedAllOrNone() {
    Resources two = Pool.resources(2, 1, 0);
    List<Decision> decisions =
        policy()
            .place(
                List.of(
                    member(0, two, 7), // of a gang of three, but there is room for two
                    request(1, Pool.resources(3, 1, 0)), // fits only if that gang took nothing
                    member(2, two, 7),
                    member(3, two, 7),
                    member(4, Pool.resources(1, 1, 0), 8),
                    member(5, Pool.resources(2, 1, 0), 8)),
                Pool.of(Pool.node(1, 3, 4096, 0), Pool.node(2, 3, 4096, 0)),
                1);
    assertEquals(
        List.of(false, true, false, false, true, true),
        decisions.stream().map(PlacementPolicyContract::isPlaced).toList());
  }

  @Test
  void theNodeNamedFirstIsTriedBeforeAllOthers() {
    Pool pool = Pool.of(Pool.node(1, 4, 4096, 0), Pool.node(2, 2, 2048, 0), Pool.node(3, 4, 1, 0));
    Resources wanted = Pool.resources(1, 1024, 0);
    for (int first = 1; first <= 2; first++) {
      Optional<NodeId> preferred = Optional.of(Pool.id(first));
      // Even where it is named last as well.
      for (Set<NodeId> last : List.of(Set.<NodeId>of(), Set.of(Pool.id(first)))) {
        Request request = preferring(0, wanted, preferred, last);
        assertEquals(Pool.id(first), node(policy().place(List.of(request), pool, 1).get(0)));
      }
    }
    for (NodeId unfit : List.of(Pool.id(3), Pool.id(9))) { // full, and not there
      Request request = preferring(0, wanted, Optional.of(unfit), Set.of());
      assertEquals(
          node(policy().place(List.of(request(0, wanted)), pool, 1).get(0)),
          node(policy().place(List.of(request), pool, 1).get(0)));
    }
  }

  @Test
  void nodesNamedLastAreUsedOnlyIfNoOtherFits() {
    Pool pool = Pool.of(Pool.node(1, 4, 4096, 0), Pool.node(2, 2, 2048, 0), Pool.node(3, 4, 1, 0));
    Resources wanted = Pool.resources(1, 1024, 0);
    for (int last = 1; last <= 2; last++) {
      Request other = preferring(0, wanted, Optional.empty(), Set.of(Pool.id(last)));
      assertEquals(Pool.id(3 - last), node(policy().place(List.of(other), pool, 1).get(0)));
    }
    Set<NodeId> all = Set.of(Pool.id(1), Pool.id(2), Pool.id(9));
    Request any = preferring(0, wanted, Optional.empty(), all);
    assertEquals(
        node(policy().place(List.of(request(0, wanted)), pool, 1).get(0)),
        node(policy().place(List.of(any), pool, 1).get(0)));
  }

  // Agreement with the order, determinism, time
  // --------------------------------------------------------

  /** A policy that is nothing but an order places as the manager does who follows the order. */
  @Test
  void placesByItsOrderIfItHasOne() {
    Optional<NodeOrder> order = policy().order();
    if (order.isEmpty()) {
      return; // it chooses by itself
    }
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      Pool pool = randomPool(random);
      List<Request> requests = randomRequests(random);
      List<Decision> decisions = policy().place(requests, pool, seed);
      List<Optional<NodeId>> placed = new ArrayList<>();
      for (Decision decision : decisions) {
        placed.add(
            decision instanceof Decision.Proposal proposal
                ? Optional.of(proposal.node())
                : Optional.empty());
      }
      assertEquals(byOrder(requests, pool, order.get()), placed, "seed " + seed);
    }
  }

  private static List<Optional<NodeId>> byOrder(
      List<Request> requests, Pool pool, NodeOrder order) {
    Map<NodeId, NodeView> nodes = new HashMap<>(pool.byId());
    Map<Integer, Optional<NodeId>> chosen = new TreeMap<>();
    for (List<Integer> unit : units(requests)) {
      Map<NodeId, NodeView> left = new HashMap<>(nodes);
      for (int i : unit) {
        Request request = requests.get(i);
        Optional<NodeView> node = firstThatFits(request, left, order);
        node.ifPresent(found -> left.put(found.id(), without(found, request.demand())));
        chosen.put(i, node.map(NodeView::id));
      }
      if (unit.stream().allMatch(i -> chosen.get(i).isPresent())) {
        nodes.putAll(left);
      } else {
        unit.forEach(i -> chosen.put(i, Optional.empty()));
      }
    }
    return List.copyOf(chosen.values());
  }

  private static Optional<NodeView> firstThatFits(
      Request request, Map<NodeId, NodeView> nodes, NodeOrder order) {
    List<NodeView> sorted = nodes.values().stream().sorted(order.comparator()).toList();
    List<NodeView> tried = new ArrayList<>();
    request.first().map(nodes::get).ifPresent(tried::add);
    sorted.stream().filter(node -> !request.last().contains(node.id())).forEach(tried::add);
    sorted.stream().filter(node -> request.last().contains(node.id())).forEach(tried::add);
    return tried.stream()
        .filter(node -> Refusal.check(request.demand(), node, node.free()).isEmpty())
        .findFirst();
  }

  @Test
  void sameArgumentsSameAnswer() {
    for (long seed = 0; seed < 20; seed++) {
      Pool pool = randomPool(new Random(seed));
      List<Request> requests = randomRequests(new Random(seed));
      PlacementPolicy policy = policy();
      List<Decision> decisions = policy.place(requests, pool, seed);
      assertEquals(decisions, policy.place(requests, pool, seed), "again, seed " + seed);
      assertEquals(decisions, policy().place(requests, pool, seed), "another, seed " + seed);
    }
  }

  @Test
  void endsInTimeForAThousandRequestsOnAThousandNodes() {
    NodeView[] nodes = new NodeView[1000];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = Pool.node(i, 8, 8192, 0);
    }
    List<Request> fitting = new ArrayList<>();
    List<Request> unfit = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      fitting.add(request(i, Pool.resources(1, 512, 0)));
      unfit.add(member(i, Pool.resources(i % 10 == 9 ? 9 : 1, 512, 0), i / 10));
    }
    assertTimeoutPreemptively(
        Duration.ofSeconds(2), () -> policy().place(fitting, Pool.of(nodes), 1));
    assertTimeoutPreemptively(
        Duration.ofSeconds(2), () -> policy().place(unfit, Pool.of(nodes), 1));
  }

  // Random pools and requests
  // ------------------------------------------------------------------------

  /** Places of the requests that are placed all or none, in the order in which they are served. */
  private static List<List<Integer>> units(List<Request> requests) {
    Map<Object, List<Integer>> units = new LinkedHashMap<>();
    for (int i = 0; i < requests.size(); i++) {
      Request request = requests.get(i);
      Object unit = request.gang().isPresent() ? request.gang().getAsLong() : request.attempt();
      units.computeIfAbsent(unit, key -> new ArrayList<>()).add(i);
    }
    return List.copyOf(units.values());
  }

  private static Pool randomPool(Random random) {
    NodeView[] nodes = new NodeView[random.nextInt(12)];
    for (int i = 0; i < nodes.length; i++) {
      NodeView node = Pool.node(i, random.nextInt(9), random.nextInt(16) * 512L, random.nextInt(4));
      // Some devices are in use in part.
      for (int share = random.nextInt(3); share > 0; share--) {
        Demand demand = Demand.of(Pool.resources(0, 0, (1 + random.nextInt(4)) / 4.0));
        if (node.free().covers(demand.resources())) {
          node = without(node, demand);
        }
      }
      nodes[i] = node;
    }
    return Pool.of(nodes);
  }

  private static List<Request> randomRequests(Random random) {
    List<Request> requests = new ArrayList<>();
    int count = 1 + random.nextInt(30);
    for (int i = 0; i < count; i++) {
      Resources resources =
          Pool.resources(
              random.nextInt(8) / 2.0, random.nextInt(8) * 256L, random.nextInt(6) / 2.0);
      OptionalLong gang =
          random.nextInt(3) == 0 ? OptionalLong.of(random.nextInt(4)) : OptionalLong.empty();
      Optional<NodeId> first =
          random.nextInt(4) == 0 ? Optional.of(Pool.id(random.nextInt(12))) : Optional.empty();
      Set<NodeId> last = new HashSet<>();
      for (int other = random.nextInt(3); other > 0; other--) {
        last.add(Pool.id(random.nextInt(12)));
      }
      requests.add(new Request(attempt(i), Demand.of(resources), gang, first, last));
    }
    return requests;
  }
}
