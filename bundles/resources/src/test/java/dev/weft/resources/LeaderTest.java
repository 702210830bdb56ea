package dev.weft.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.Resources;
import dev.weft.core.message.Message;
import dev.weft.core.resources.Authority;
import dev.weft.core.resources.Placement;
import dev.weft.testkit.policy.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Several resource managers, of which one leads (A6, B5). */
class LeaderTest {
  private static final Resources ONE = Pool.resources(1, 100, 0);

  private final Manager manager = Manager.byOrder(ResourceSettings.DEFAULT);

  @Test
  void aNewLeaderUsesANodeOnlyWhenItKnowsTheTerm() {
    FakeNode node = manager.join(1, ONE);
    Placement.Placed ofTheOld = manager.placed(0, ONE);
    manager.handle(new ResourceEvent.Led(Optional.of(Pool.id(99)), 2));
    manager.refused(1, ONE);
    Message.Reported answer = manager.report(node);
    assertEquals(new Authority("test", 2), answer.authority());
    manager.refused(2, ONE);
    manager.report(node); // in the new term
    assertEquals(2, manager.placed(3, ONE).authority().term());
    node.dispatch(ofTheOld);
    assertTrue(node.held.isEmpty(), "it knows a later leader");
  }

  @Test
  void whatTheOldLeaderGaveAndTheNodeHoldsIsNotGivenAgain() {
    FakeNode node = manager.join(1, ONE);
    node.dispatch(manager.placed(0, ONE));
    manager.handle(new ResourceEvent.Led(Optional.of(Pool.id(99)), 2));
    manager.report(node);
    manager.report(node);
    manager.refused(1, ONE);
    node.end(Manager.attempt(0));
    manager.report(node);
    manager.placed(2, ONE);
  }

  @Test
  void aFollowerGivesNothing() {
    manager.join(1, ONE);
    manager.handle(new ResourceEvent.Led(Optional.of(Pool.id(98)), 2));
    List<ResourceEffect> effects =
        manager.handle(new ResourceEvent.Asked(7, List.of(Manager.request(0, ONE))));
    assertEquals(List.of(new ResourceEffect.NotLeading(7, Optional.of(Pool.id(98)))), effects);
  }

  @Test
  void aSuspicionOfTheLeaderAsksForAnElection() {
    manager.handle(new ResourceEvent.Led(Optional.of(Pool.id(98)), 2));
    List<Message> answers = new ArrayList<>();
    List<ResourceEffect> effects =
        manager.handle(new ResourceEvent.Suspected(Pool.id(98), answers::add));
    assertEquals(new ResourceEffect.Elect(Pool.id(98)), effects.get(0));
    ((ResourceEffect.Reply<?>) effects.get(1)).send();
    assertEquals(
        new Message.Leading(Optional.of(Pool.id(98)), new Authority("test", 2)), answers.get(0));
    assertEquals(1, manager.handle(new ResourceEvent.Suspected(Pool.id(97), answers::add)).size());
  }

  @Test
  void newsOfAnEarlierTermIsOld() {
    manager.join(1, ONE);
    manager.handle(new ResourceEvent.Led(Optional.of(Pool.id(98)), 0));
    manager.placed(0, ONE);
  }
}
