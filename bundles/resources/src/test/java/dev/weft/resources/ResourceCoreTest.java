package dev.weft.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.AttemptId;
import dev.weft.api.Demand;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.TaskId;
import dev.weft.api.bus.Role;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.policy.PlacementPolicy.Decision;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.api.policy.Refusal;
import dev.weft.core.bus.Peer;
import dev.weft.core.message.Message;
import dev.weft.core.resources.NodeStatus;
import dev.weft.core.resources.Placement;
import dev.weft.testkit.policy.Pool;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ResourceCoreTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final JobId JOB = new JobId("a".repeat(32));
  private static final Resources ONE_CORE = Pool.resources(1, 100, 0);

  private final ResourceCore core = new ResourceCore();

  @Test
  void takesTheAmountAndRaisesTheVersion() {
    nodeReports(1, 1, 1, Pool.resources(2, 1000, 0), List.of());
    Placement.Placed placed = placed(place(1, 0));
    assertEquals(Pool.id(1), placed.node());
    assertEquals(Pool.resources(1, 900, 0), placed.remaining());
    assertEquals(1, placed.boot());
    long before = placed.version();
    assertTrue(placed(place(2, 1)).version() > before);
    Placement.NotPlaced refused = assertInstanceOf(Placement.NotPlaced.class, place(3, 2));
    assertEquals("no node fits now", refused.decision().reason());
    assertEquals(
        "needs 1 cpu, has 0 cpu free", refused.decision().refusals().get(Pool.id(1)).message());
  }

  @Test
  void whatIsReleasedCanBeGivenAgain() {
    nodeReports(1, 1, 1, ONE_CORE, List.of());
    placed(place(1, 0));
    core.handle(new ResourceEvent.Released(List.of(attempt(0))), NOW);
    placed(place(2, 1));
    core.handle(new ResourceEvent.Released(List.of(attempt(0))), NOW);
    assertInstanceOf(Placement.NotPlaced.class, place(3, 2));
  }

  @Test
  void ofNodesThatAreDownOnlyTheLatestStayKnown() {
    for (int i = 0; i <= ResourceCore.MAXIMUM_DOWN; i++) {
      nodeReports(i, 1, 1, ONE_CORE, List.of());
      core.handle(
          new ResourceEvent.PeerDown(
              peer(i, 1), new Fault("peer.left", Fault.Category.EXTERNAL, "gone", true)),
          NOW.plusSeconds(i));
    }
    List<NodeId> known = core.status().stream().map(NodeStatus::id).toList();
    assertEquals(ResourceCore.MAXIMUM_DOWN, known.size());
    assertTrue(!known.contains(Pool.id(0)), "the first to go is forgotten");
  }

  @Test
  void theReasonOfANodeFollowsWhatItHas() {
    nodeReports(1, 1, 1, Pool.resources(2, 1000, 0), List.of());
    placed(place(1, 0));
    placed(place(2, 1));
    nodeReports(1, 1, 2, ONE_CORE, List.of(attempt(0), attempt(1)));
    assertEquals("offers less than it was given", core.status().get(0).reason());
    core.handle(new ResourceEvent.Released(List.of(attempt(0))), NOW);
    assertEquals("takes tasks", core.status().get(0).reason());
  }

  @Test
  void anOldReportIsDropped() {
    nodeReports(1, 1, 2, Pool.resources(2, 1000, 0), List.of());
    nodeReports(1, 1, 1, Pool.resources(8, 1000, 0), List.of());
    assertEquals(Pool.resources(2, 1000, 0), core.status().get(0).offered());
  }

  @Test
  void aNodeThatOffersLessThanItGaveGetsNothing() {
    nodeReports(1, 1, 1, Pool.resources(2, 1000, 0), List.of());
    placed(place(1, 0));
    placed(place(2, 1));
    nodeReports(1, 1, 2, ONE_CORE, List.of(attempt(0), attempt(1)));
    assertEquals(NodeStatus.State.OVERCOMMITTED, core.status().get(0).state());
    assertTrue(core.view().nodes().isEmpty());
    core.handle(new ResourceEvent.Released(List.of(attempt(0))), NOW);
    assertEquals(NodeStatus.State.READY, core.status().get(0).state());
  }

  @Test
  void aRestartedNodeIsEmpty() {
    nodeReports(1, 1, 1, ONE_CORE, List.of());
    placed(place(1, 0));
    nodeReports(1, 2, 1, ONE_CORE, List.of());
    assertEquals(2, placed(place(2, 1)).boot());
  }

  @Test
  void aNodeThatComesBackStillRunningIsNotGivenMoreThanItHas() {
    nodeReports(1, 1, 1, ONE_CORE, List.of());
    placed(place(1, 0));
    core.handle(new ResourceEvent.PeerDown(peer(1, 1), fault()), NOW);
    assertEquals(NodeStatus.State.DOWN, core.status().get(0).state());
    core.handle(new ResourceEvent.Released(List.of(attempt(0))), NOW);
    core.handle(new ResourceEvent.PeerUp(peer(1, 1)), NOW);
    report(1, 1, 2, ONE_CORE, Resources.NONE, List.of(attempt(0)));
    assertInstanceOf(Placement.NotPlaced.class, place(2, 1));
    report(1, 1, 3, ONE_CORE, ONE_CORE, List.of());
    placed(place(3, 2));
  }

  @Test
  void aProposalThatNoLongerFitsIsPutBeforeThePolicyAgain() {
    nodeReports(1, 1, 1, ONE_CORE, List.of());
    ResourceEffect.AskPolicy ask = ask(1, 0);
    nodeReports(2, 1, 1, ONE_CORE, List.of());
    core.handle(new ResourceEvent.PeerDown(peer(1, 1), fault()), NOW);
    ResourceEffect.AskPolicy again =
        assertInstanceOf(ResourceEffect.AskPolicy.class, answerFirstFit(ask).get(0));
    Placement placement =
        ((ResourceEffect.Answer) answerFirstFit(again).get(0)).placements().get(0);
    assertEquals(Pool.id(2), placed(placement).node());
  }

  @Test
  void aPolicyThatFailsIsAReason() {
    nodeReports(1, 1, 1, ONE_CORE, List.of());
    ResourceEffect.AskPolicy ask = ask(1, 0);
    var effects = core.handle(new ResourceEvent.NotProposed(ask.call(), "x 1", "x 1 failed"), NOW);
    Placement placement = ((ResourceEffect.Answer) effects.get(0)).placements().get(0);
    assertEquals("x 1 failed", placement.decision().reason());
  }

  @Test
  void aPolicyThatForgetsARequestOrInventsANodeIsCaught() {
    nodeReports(1, 1, 1, ONE_CORE, List.of());
    ResourceEffect.AskPolicy ask = ask(1, 0);
    var effects = core.handle(new ResourceEvent.Proposed(ask.call(), "x 1", List.of()), NOW);
    assertEquals("the policy did not decide", decision(effects).reason());
    ask = ask(2, 1);
    for (int i = 0; i < ResourceCore.MAXIMUM_TRIES; i++) {
      Decision invented = new Decision.Proposal(attempt(1), Pool.id(9), "", Map.of());
      effects = core.handle(new ResourceEvent.Proposed(ask.call(), "x 1", List.of(invented)), NOW);
      if (effects.get(0) instanceof ResourceEffect.AskPolicy next) {
        ask = next;
      }
    }
    assertEquals("the policy's proposals did not fit", decision(effects).reason());
  }

  @Test
  void noNodeIsEverGivenMoreThanItOffers() {
    for (long seed = 0; seed < 200; seed++) {
      new RandomRun(seed).run();
    }
  }

  /** Random nodes, reports, placements, releases, restarts; the sums are kept beside the core. */
  private static final class RandomRun {
    private final long seed;
    private final Random random;
    private final ResourceCore core = new ResourceCore();
    private final Map<AttemptId, NodeId> where = new HashMap<>();
    private final Map<NodeId, Resources> offered = new HashMap<>();
    private final long[] boots = new long[5];
    private final long[] numbers = new long[5];
    private int next;

    RandomRun(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
    }

    void run() {
      for (int step = 0; step < 300; step++) {
        int node = random.nextInt(boots.length);
        switch (random.nextInt(8)) {
          case 0 -> report(node, random.nextInt(8) == 0);
          case 1 -> down(node);
          case 2, 3 -> release();
          default -> place();
        }
        check(step);
      }
    }

    private void report(int node, boolean restart) {
      if (boots[node] == 0 || restart) {
        boots[node]++;
        numbers[node] = 0;
        where.values().removeIf(Pool.id(node)::equals);
      }
      core.handle(new ResourceEvent.PeerUp(peer(node, boots[node])), NOW);
      Resources offer = offered.computeIfAbsent(Pool.id(node), id -> Pool.resources(4, 4096, 1));
      Message.Report report =
          new Message.Report(
              boots[node],
              ++numbers[node],
              offer,
              offer,
              0,
              new TreeMap<>(),
              Inventory.EMPTY,
              List.of());
      core.handle(new ResourceEvent.Reported(peer(node, boots[node]), report), NOW);
    }

    private void down(int node) {
      if (random.nextInt(4) == 0) {
        core.handle(new ResourceEvent.PeerDown(peer(node, boots[node]), fault()), NOW);
        where.values().removeIf(Pool.id(node)::equals);
      }
    }

    private void release() {
      if (!where.isEmpty()) {
        AttemptId attempt = where.keySet().iterator().next();
        where.remove(attempt);
        core.handle(new ResourceEvent.Released(List.of(attempt)), NOW);
      }
    }

    private void place() {
      List<Request> requests = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(4); i++) {
        requests.add(new Request(attempt(next++), Demand.of(ONE_CORE)));
      }
      List<ResourceEffect> effects = core.handle(new ResourceEvent.Asked(next, requests), NOW);
      while (effects.get(0) instanceof ResourceEffect.AskPolicy ask) {
        effects = core.handle(wild(ask), NOW);
      }
      for (Placement placement : ((ResourceEffect.Answer) effects.get(0)).placements()) {
        if (placement instanceof Placement.Placed placed) {
          where.put(placed.attempt(), placed.node());
        }
      }
    }

    /** A policy that does not look at what is free. */
    private ResourceEvent wild(ResourceEffect.AskPolicy ask) {
      List<Decision> decisions = new ArrayList<>();
      for (Request request : ask.requests()) {
        NodeId any = Pool.id(random.nextInt(boots.length));
        decisions.add(new Decision.Proposal(request.attempt(), any, "any", Map.of()));
      }
      return new ResourceEvent.Proposed(ask.call(), "wild 1", decisions);
    }

    private void check(int step) {
      Map<NodeId, Resources> given = new HashMap<>();
      where.values().forEach(node -> given.merge(node, ONE_CORE, Resources::plus));
      given.forEach(
          (node, amount) ->
              assertTrue(
                  offered.get(node).covers(amount), "seed " + seed + " step " + step + " " + node));
      for (NodeStatus status : core.status()) {
        assertEquals(
            given.getOrDefault(status.id(), Resources.NONE),
            status.given(),
            "seed " + seed + " step " + step);
      }
    }
  }

  private Placement place(long question, int task) {
    return ((ResourceEffect.Answer) answerFirstFit(ask(question, task)).get(0)).placements().get(0);
  }

  private ResourceEffect.AskPolicy ask(long question, int task) {
    List<ResourceEffect> effects =
        core.handle(
            new ResourceEvent.Asked(
                question, List.of(new Request(attempt(task), Demand.of(ONE_CORE)))),
            NOW);
    return assertInstanceOf(ResourceEffect.AskPolicy.class, effects.get(0));
  }

  private List<ResourceEffect> answerFirstFit(ResourceEffect.AskPolicy ask) {
    List<Decision> decisions = new ArrayList<>();
    for (Request request : ask.requests()) {
      Map<NodeId, Refusal> refusals = new HashMap<>();
      Decision decision = null;
      for (var node : ask.pool().nodes()) {
        var refusal = Refusal.check(request.demand(), node, node.free());
        if (refusal.isEmpty() && decision == null) {
          decision = new Decision.Proposal(request.attempt(), node.id(), "first", Map.of());
        }
        refusal.ifPresent(reason -> refusals.put(node.id(), reason));
      }
      decisions.add(decision == null ? new Decision.NoNode(request.attempt(), refusals) : decision);
    }
    return core.handle(new ResourceEvent.Proposed(ask.call(), "first-fit 1", decisions), NOW);
  }

  private void nodeReports(
      int node, long boot, long number, Resources offered, List<AttemptId> held) {
    core.handle(new ResourceEvent.PeerUp(peer(node, boot)), NOW);
    report(node, boot, number, offered, offered, held);
  }

  private void report(
      int node, long boot, long number, Resources offered, Resources free, List<AttemptId> held) {
    Message.Report report =
        new Message.Report(boot, number, offered, free, 0, new TreeMap<>(), Inventory.EMPTY, held);
    core.handle(new ResourceEvent.Reported(peer(node, boot), report), NOW);
  }

  private static Placement.Decision decision(List<ResourceEffect> effects) {
    return ((ResourceEffect.Answer) effects.get(0)).placements().get(0).decision();
  }

  private static Placement.Placed placed(Placement placement) {
    return assertInstanceOf(Placement.Placed.class, placement);
  }

  private static AttemptId attempt(int task) {
    return new AttemptId(new TaskId(JOB, task), 1);
  }

  private static Peer peer(int node, long boot) {
    return new Peer(
        Pool.id(node),
        boot,
        "node-" + node,
        Set.of(Role.AGENT),
        InetSocketAddress.createUnresolved("127.0.0.1", 1),
        "test");
  }

  private static Fault fault() {
    return new Fault("peer.down", Fault.Category.EXTERNAL, "its lease ended", true);
  }
}
