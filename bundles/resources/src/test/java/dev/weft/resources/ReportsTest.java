package dev.weft.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.Resources;
import dev.weft.core.message.Message;
import dev.weft.core.message.Message.Correction;
import dev.weft.core.resources.NodeStatus;
import dev.weft.core.resources.Placement;
import dev.weft.resources.ResourceSettings.Reconcile;
import dev.weft.testkit.policy.Pool;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** B1 to B7, one rule after the other. */
class ReportsTest {
  private static final Resources ONE = Pool.resources(1, 100, 0);
  private static final Resources FOUR = Pool.resources(4, 400, 0);
  private static final Resources EIGHT = Pool.resources(8, 800, 0);

  private Manager manager = Manager.byOrder(ResourceSettings.DEFAULT);

  private static ResourceSettings mode(Reconcile mode) {
    return new ResourceSettings(
        mode, Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(2));
  }

  @Test
  void placingTakesTheAmountAndRaisesTheVersion() {
    manager.join(1, Pool.resources(2, 1000, 0));
    Placement.Placed placed = manager.placed(0, ONE);
    assertEquals(Pool.resources(1, 900, 0), placed.remaining());
    assertEquals(1, placed.version());
    assertEquals(2, manager.placed(1, ONE).version());
    Placement.NotPlaced refused = manager.refused(2, ONE);
    assertEquals("no node fits now", refused.decision().reason());
    assertEquals(
        "needs 1 cpu, has 0 cpu free", refused.decision().refusals().get(Pool.id(1)).message());
  }

  @Test
  void anOlderReportIsDropped() {
    FakeNode node = manager.join(1, FOUR);
    Message.Report old = node.report();
    node.offered = EIGHT;
    manager.report(node);
    assertEquals(List.of(), manager.report(node, old).acknowledged());
    assertEquals(EIGHT, manager.status(node).offered());
  }

  @Test
  void aReportMadeBeforeTheDispatchDoesNotChangeTheAmount() {
    FakeNode node = manager.join(1, FOUR);
    manager.placed(0, FOUR);
    manager.report(node);
    assertEquals(Resources.NONE, manager.status(node).free());
    manager.refused(1, ONE);
  }

  @Test
  void twoDispatchesThatOvertakeEachOtherDoNotOvercommit() {
    FakeNode node = manager.join(1, EIGHT);
    Placement.Placed first = manager.placed(0, FOUR);
    Placement.Placed second = manager.placed(1, FOUR);
    node.dispatch(second);
    manager.report(node); // at the newest version, 4 free, the first is still under way
    assertEquals(Resources.NONE, manager.status(node).free());
    manager.refused(2, ONE);
    node.dispatch(first);
    assertEquals(2, node.held.size());
  }

  @Test
  void whatANodeNamesAsOverIsFreeAgainWhateverTheVersion() {
    FakeNode node = manager.join(1, EIGHT);
    node.dispatch(manager.placed(0, FOUR));
    manager.report(node);
    manager.placed(1, ONE); // under way: versions differ
    node.end(Manager.attempt(0));
    assertEquals(List.of(Manager.attempt(0)), manager.report(node).acknowledged());
    assertEquals(Pool.resources(7, 700, 0), manager.status(node).free());
    assertTrue(node.over.isEmpty());
  }

  @Test
  void whatWasNamedAndIsNotAnyMoreIsOver() {
    FakeNode node = manager.join(1, EIGHT);
    node.dispatch(manager.placed(0, FOUR));
    manager.report(node);
    node.held.clear(); // it forgot to say so
    manager.report(node);
    assertEquals(EIGHT, manager.status(node).free());
    assertEquals(0, manager.core.placements());
  }

  @Test
  void whatASchedulerSaysForANodeCountsInItsBootOnly() {
    FakeNode node = manager.join(1, EIGHT);
    node.dispatch(manager.placed(0, FOUR));
    manager.handle(new ResourceEvent.Over(Pool.id(1), 2, List.of(Manager.attempt(0))));
    assertEquals(FOUR, manager.status(node).free());
    manager.handle(new ResourceEvent.Over(Pool.id(1), 1, List.of(Manager.attempt(0))));
    assertEquals(EIGHT, manager.status(node).free());
    manager.handle(new ResourceEvent.Over(Pool.id(1), 1, List.of(Manager.attempt(0))));
    assertEquals(EIGHT, manager.status(node).free());
  }

  @Test
  void modeAdoptTakesAmountAndVersionOfTheNode() {
    manager = Manager.byOrder(mode(Reconcile.ADOPT));
    FakeNode node = differing();
    assertEquals(Correction.NONE, manager.report(node).correction());
    manager.pass(Duration.ofSeconds(10));
    assertEquals(Correction.NONE, manager.report(node).correction());
    assertEquals(5, manager.status(node).version());
    assertEquals(FOUR, manager.status(node).free());
  }

  @Test
  void modeImposeTakesTheAmountAndSendsItsVersion() {
    manager = Manager.byOrder(mode(Reconcile.IMPOSE));
    FakeNode node = differing();
    assertEquals(Correction.NONE, manager.report(node).correction());
    manager.pass(Duration.ofSeconds(10));
    assertEquals(Correction.TAKE, manager.report(node).correction());
    assertEquals(0, node.version);
    assertEquals(FOUR, manager.status(node).free());
    assertEquals(Correction.NONE, manager.report(node).correction());
  }

  @Test
  void modeAskTellsTheNodeAndAdoptsItsUpdate() {
    manager = Manager.byOrder(mode(Reconcile.ASK));
    FakeNode node = differing();
    assertEquals(Correction.NONE, manager.report(node).correction());
    manager.pass(Duration.ofSeconds(10));
    assertEquals(Correction.DIFFERS, manager.report(node).correction());
    assertEquals(EIGHT, manager.status(node).free());
    Message.Reported answer = manager.report(node, node.report(true));
    assertEquals(Correction.TAKE, answer.correction());
    assertEquals(0, answer.version());
    assertEquals(FOUR, manager.status(node).free());
  }

  @Test
  void modeAskTellsTheNodeWhenTheyAgreeAgain() {
    manager = Manager.byOrder(mode(Reconcile.ASK));
    FakeNode node = differing();
    manager.report(node);
    manager.pass(Duration.ofSeconds(10));
    assertEquals(Correction.DIFFERS, manager.report(node).correction());
    node.version = 0;
    assertEquals(Correction.AGREES, manager.report(node).correction());
    assertEquals(Correction.NONE, manager.report(node).correction());
  }

  /** A node that holds half of its eight cores at a version that the manager does not know. */
  private FakeNode differing() {
    FakeNode node = manager.join(1, EIGHT);
    node.version = 5;
    node.held.put(Manager.attempt(77), FOUR);
    return node;
  }

  @ParameterizedTest
  @EnumSource(Reconcile.class)
  void anAmountAdoptedInAnyModeIsLoweredByWhatIsUnderWay(Reconcile mode) {
    manager = Manager.byOrder(mode(mode));
    FakeNode node = manager.join(1, EIGHT);
    manager.placed(0, FOUR);
    node.version = 7;
    manager.report(node);
    manager.pass(Duration.ofSeconds(10));
    manager.report(node);
    manager.report(node, node.report(true));
    assertEquals(FOUR, manager.status(node).free());
  }

  @Test
  void whatIsUnderWayCountsBesideWhatTheNodeRunsForOthers() {
    FakeNode node = manager.join(1, EIGHT);
    node.held.put(Manager.attempt(77), FOUR); // such as of a manager before
    manager.report(node);
    manager.placed(0, FOUR);
    node.version = manager.status(node).version(); // another dispatch has brought it there
    manager.report(node);
    assertEquals(Resources.NONE, manager.status(node).free());
  }

  @Test
  void theFirstReportOfALaterBootIsAdoptedAtOnce() {
    FakeNode node = manager.join(1, FOUR);
    Placement.Placed placed = manager.placed(0, FOUR);
    node.restart();
    manager.report(node);
    assertEquals(0, manager.status(node).version());
    assertEquals(2, manager.placed(1, FOUR).boot());
    node.dispatch(placed);
    assertTrue(node.held.isEmpty(), "meant for the boot before");
  }

  @Test
  void aNodeThatComesBackStillRunningIsNotGivenMoreThanItHas() {
    FakeNode node = manager.join(1, FOUR);
    node.dispatch(manager.placed(0, FOUR));
    manager.down(node);
    assertEquals(NodeStatus.State.DOWN, manager.status(node).state());
    manager.up(node);
    manager.refused(1, ONE);
    manager.report(node);
    manager.refused(2, ONE);
    node.end(Manager.attempt(0));
    manager.report(node);
    manager.placed(3, FOUR);
  }

  @Test
  void aPlacementIsWithdrawnOnlyWhenItsNodeHasConfirmed() {
    FakeNode node = manager.join(1, FOUR);
    Placement.Placed placed = manager.placed(0, FOUR);
    List<ResourceEffect.Cancel> cancels =
        Manager.cancels(manager.handle(new ResourceEvent.Withdrawn(List.of(placed.attempt()))));
    assertEquals(List.of(placed.attempt()), cancels.get(0).attempts());
    manager.refused(1, ONE);
    assertEquals(List.of(), Manager.cancels(manager.core.tick(manager.now)));
    manager.pass(Duration.ofSeconds(2));
    assertEquals(1, Manager.cancels(manager.core.tick(manager.now)).size());
    List<dev.weft.api.AttemptId> over = node.cancel(cancels.get(0).attempts());
    manager.handle(new ResourceEvent.Cancelled(Pool.id(1), over));
    assertEquals(0, manager.core.unwanted());
    manager.placed(2, FOUR);
    node.dispatch(placed);
    assertTrue(node.held.isEmpty(), "it confirmed that it would refuse it");
  }

  @Test
  void aPlacementWhoseDispatchNeverArrivesIsTakenBackInBoundedTime() {
    FakeNode node = manager.join(1, FOUR);
    Placement.Placed placed = manager.placed(0, FOUR);
    manager.pass(Duration.ofSeconds(31));
    List<ResourceEffect.Cancel> cancels =
        Manager.cancels(
            manager.handle(new ResourceEvent.Reported(Pool.id(1), node.report(), answer -> {})));
    assertEquals(List.of(placed.attempt()), cancels.get(0).attempts());
    manager.handle(new ResourceEvent.Cancelled(Pool.id(1), node.cancel(cancels.get(0).attempts())));
    assertEquals(FOUR, manager.status(node).free());
  }

  @Test
  void aNodeThatOffersLessThanItWasGivenGetsNothingUntilItFitsAgain() {
    FakeNode node = manager.join(1, EIGHT);
    node.dispatch(manager.placed(0, FOUR));
    node.offered = ONE;
    manager.report(node);
    assertEquals(NodeStatus.State.OVERCOMMITTED, manager.status(node).state());
    assertEquals("offers less than it was given", manager.status(node).reason());
    assertEquals(0, manager.core.view().nodes().size());
    node.end(Manager.attempt(0));
    manager.report(node);
    assertEquals(NodeStatus.State.READY, manager.status(node).state());
    assertEquals(ONE, manager.status(node).free());
  }

  @Test
  void aNodeThatIsNotEligibleGetsNothingAndKeepsWhatItRuns() {
    FakeNode node = manager.join(1, EIGHT);
    manager.placed(0, ONE);
    manager.handle(new ResourceEvent.Eligible(Pool.id(1), false, known -> {}));
    manager.refused(1, ONE);
    assertEquals(NodeStatus.State.INELIGIBLE, manager.status(node).state());
    assertEquals(1, manager.status(node).placements());
    manager.handle(new ResourceEvent.Eligible(Pool.id(1), true, known -> {}));
    manager.placed(2, ONE);
  }

  @Test
  void ofNodesThatAreDownOnlyTheLatestStayKnown() {
    for (int i = 0; i <= ResourceCore.MAXIMUM_DOWN; i++) {
      manager.down(manager.join(i, ONE));
    }
    assertEquals(ResourceCore.MAXIMUM_DOWN, manager.core.status().size());
    assertTrue(manager.core.status(Pool.id(0)).isEmpty(), "the first to go is forgotten");
  }

  @Test
  void aDownOfAnEarlierBootIsOldNews() {
    FakeNode node = manager.join(1, ONE);
    var before = node.peer();
    node.restart();
    manager.up(node);
    manager.report(node);
    manager.handle(new ResourceEvent.PeerDown(before, Manager.GONE));
    assertEquals(NodeStatus.State.READY, manager.status(node).state());
  }
}
