package dev.weft.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.Demand;
import dev.weft.api.Resources;
import dev.weft.api.policy.PlacementPolicy.Decision;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.api.policy.Refusal;
import dev.weft.core.resources.Placement;
import dev.weft.testkit.policy.Pool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How requests become placements: by an order, or by a policy that is asked. */
class PlacingTest {
  private static final Resources ONE = Pool.resources(1, 100, 0);

  private final Manager manager = Manager.byOrder(ResourceSettings.DEFAULT);

  private static Request gang(int task, long gang) {
    return new Request(
        Manager.attempt(task), Demand.of(ONE), OptionalLong.of(gang), Optional.empty(), Set.of());
  }

  @Test
  void aGangIsPlacedAllOrNone() {
    manager.join(1, ONE);
    List<Placement> none = manager.place(gang(0, 1), gang(1, 1), Manager.request(2, ONE));
    assertInstanceOf(Placement.NotPlaced.class, none.get(0));
    assertInstanceOf(Placement.NotPlaced.class, none.get(1));
    assertInstanceOf(Placement.Placed.class, none.get(2));
    manager.join(2, Pool.resources(2, 200, 0));
    for (Placement placement : manager.place(gang(3, 1), gang(4, 1))) {
      assertEquals(Pool.id(2), assertInstanceOf(Placement.Placed.class, placement).node());
    }
  }

  @Test
  void aTaskIsTriedOnItsNodeFirstOrElsewhere() {
    manager.join(1, ONE);
    manager.join(2, Pool.resources(4, 400, 0));
    Request first =
        new Request(
            Manager.attempt(0),
            Demand.of(ONE),
            OptionalLong.empty(),
            Optional.of(Pool.id(1)),
            Set.of());
    assertEquals(Pool.id(1), ((Placement.Placed) manager.place(first).get(0)).node());
    Request last =
        new Request(
            Manager.attempt(1),
            Demand.of(ONE),
            OptionalLong.empty(),
            Optional.empty(),
            Set.of(Pool.id(2)));
    assertEquals(Pool.id(2), ((Placement.Placed) manager.place(last).get(0)).node());
  }

  @Test
  void devicesAreGivenOneByOne() {
    manager.join(1, Pool.offer(8, 8000, 2));
    Placement.Placed half = manager.placed(0, Pool.resources(1, 100, 0.5));
    Placement.Placed whole = manager.placed(1, Pool.resources(1, 100, 1));
    assertTrue(half.taken().toString().contains("gpu.0=500"), half.taken().toString());
    assertTrue(whole.taken().toString().contains("gpu.1=1000"), whole.taken().toString());
    manager.refused(2, Pool.resources(1, 100, 0.6));
    manager.placed(3, Pool.resources(1, 100, 0.5));
  }

  @Test
  void whoAsksAgainGetsTheSameAnswer() {
    manager.join(1, Pool.resources(4, 400, 0));
    Placement.Placed placed = manager.placed(0, ONE);
    assertEquals(placed, manager.placed(0, ONE));
    assertEquals(1, manager.core.placements());
    manager.handle(new ResourceEvent.Withdrawn(List.of(Manager.attempt(0))));
    assertEquals(
        "the attempt is being withdrawn; ask for another",
        manager.refused(0, ONE).decision().reason());
  }

  @Test
  void withoutAPolicyTasksWaitAndSaySo() {
    manager.join(1, ONE);
    manager.handle(new ResourceEvent.PolicyChanged(Optional.empty()));
    assertEquals("no placement policy is installed", manager.refused(0, ONE).decision().reason());
  }

  @Test
  void anEmptyPoolSaysThatNoNodeTakesTasks() {
    assertEquals("no node takes tasks", manager.refused(0, ONE).decision().reason());
  }

  // A policy that is asked ------------------------------------------------------------------------

  private ResourceEffect.AskPolicy ask(int task) {
    manager.policy("first-fit 1", Optional.empty());
    List<ResourceEffect> effects =
        manager.handle(new ResourceEvent.Asked(task, List.of(Manager.request(task, ONE))));
    return assertInstanceOf(ResourceEffect.AskPolicy.class, effects.get(0));
  }

  private List<ResourceEffect> answerFirstFit(ResourceEffect.AskPolicy ask) {
    List<Decision> decisions = new ArrayList<>();
    for (Request request : ask.requests()) {
      Map<dev.weft.api.NodeId, Refusal> refusals = new HashMap<>();
      Optional<Decision> decision = Optional.empty();
      for (var node : ask.pool().nodes()) {
        var refusal = Refusal.check(request.demand(), node, node.free());
        if (refusal.isEmpty() && decision.isEmpty()) {
          decision =
              Optional.of(new Decision.Proposal(request.attempt(), node.id(), "first", Map.of()));
        }
        refusal.ifPresent(reason -> refusals.put(node.id(), reason));
      }
      decisions.add(decision.orElseGet(() -> new Decision.NoNode(request.attempt(), refusals)));
    }
    return manager.handle(new ResourceEvent.Proposed(ask.call(), "first-fit 1", decisions));
  }

  @Test
  void aProposalThatNoLongerFitsIsPutBeforeThePolicyAgain() {
    FakeNode node = manager.join(1, ONE);
    ResourceEffect.AskPolicy ask = ask(0);
    manager.join(2, ONE);
    manager.down(node);
    ResourceEffect.AskPolicy again =
        assertInstanceOf(ResourceEffect.AskPolicy.class, answerFirstFit(ask).get(0));
    Placement placement = Manager.answer(answerFirstFit(again)).placements().get(0);
    assertEquals(Pool.id(2), assertInstanceOf(Placement.Placed.class, placement).node());
  }

  @Test
  void aPolicyThatFailsIsAReason() {
    manager.join(1, ONE);
    ResourceEffect.AskPolicy ask = ask(0);
    var effects = manager.handle(new ResourceEvent.NotProposed(ask.call(), "x 1", "x 1 failed"));
    assertEquals("x 1 failed", reason(effects));
  }

  @Test
  void aPolicyThatForgetsARequestOrInventsANodeIsCaught() {
    manager.join(1, ONE);
    ResourceEffect.AskPolicy ask = ask(0);
    var effects = manager.handle(new ResourceEvent.Proposed(ask.call(), "x 1", List.of()));
    assertEquals("the policy did not decide", reason(effects));
    ask = ask(1);
    for (int i = 0; i < ResourceCore.MAXIMUM_TRIES; i++) {
      Decision invented = new Decision.Proposal(Manager.attempt(1), Pool.id(9), "", Map.of());
      effects = manager.handle(new ResourceEvent.Proposed(ask.call(), "x 1", List.of(invented)));
      if (effects.get(0) instanceof ResourceEffect.AskPolicy next) {
        ask = next;
      }
    }
    assertEquals("the policy's proposals did not fit", reason(effects));
  }

  @Test
  void aGangThatAPolicyProposesInPartIsNotPlaced() {
    manager.join(1, ONE);
    manager.policy("x 1", Optional.empty());
    var effects = manager.handle(new ResourceEvent.Asked(1, List.of(gang(0, 1), gang(1, 1))));
    ResourceEffect.AskPolicy ask = (ResourceEffect.AskPolicy) effects.get(0);
    Decision one = new Decision.Proposal(Manager.attempt(0), Pool.id(1), "", Map.of());
    Decision other = new Decision.NoNode(Manager.attempt(1), Map.of());
    effects = manager.handle(new ResourceEvent.Proposed(ask.call(), "x 1", List.of(one, other)));
    Manager.answer(effects)
        .placements()
        .forEach(placement -> assertInstanceOf(Placement.NotPlaced.class, placement));
    assertEquals(0, manager.core.placements());
  }

  private static String reason(List<ResourceEffect> effects) {
    return Manager.answer(effects).placements().get(0).decision().reason();
  }
}
