package dev.weft.scheduler;

import static dev.weft.scheduler.CoreDriver.MANAGER;
import static dev.weft.scheduler.CoreDriver.NODE;
import static dev.weft.scheduler.CoreDriver.OTHER;
import static dev.weft.scheduler.CoreDriver.attempt;
import static dev.weft.scheduler.CoreDriver.fault;
import static dev.weft.scheduler.CoreDriver.jobId;
import static dev.weft.scheduler.CoreDriver.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.core.job.JobView;
import dev.weft.core.resources.Authority;
import dev.weft.core.resources.Placement;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What becomes of questions to a resource manager that does not answer (A6). */
class LeaderTest {
  private static final NodeId SECOND = node(91);
  private static final NodeId THIRD = node(92);
  private static final AttemptId FIRST = attempt(1, 0, 1);

  /** Three managers, and a job of one task that the first has been asked for. */
  private static CoreDriver asked() {
    CoreDriver driver = CoreDriver.withNode();
    driver.handle(
        new SchedulerEvent.Managers(List.of(MANAGER, SECOND, THIRD), Optional.of(MANAGER)));
    driver.submit(1, Specs.of(1).spec(), 1);
    return driver;
  }

  private static SchedulerEffect.Place place(CoreDriver driver) {
    List<SchedulerEffect.Place> places = driver.take(SchedulerEffect.Place.class);
    assertEquals(1, places.size());
    return places.get(0);
  }

  private static List<AttemptId> attempts(SchedulerEffect.Place place) {
    return place.requests().stream().map(Request::attempt).toList();
  }

  private static void leads(CoreDriver driver, NodeId from, NodeId leader, long term) {
    driver.handle(
        new SchedulerEvent.Leading(from, Optional.of(leader), new Authority("test", term)));
  }

  private static void answers(CoreDriver driver, SchedulerEffect.Place place, Placement placement) {
    driver.handle(
        new SchedulerEvent.Placements(place.question(), place.manager(), List.of(placement)));
  }

  private static List<SchedulerEffect.Suspect> suspicions(CoreDriver driver) {
    return driver.take(SchedulerEffect.Suspect.class);
  }

  private static final List<SchedulerEffect.Suspect> TOLD =
      List.of(
          new SchedulerEffect.Suspect(SECOND, MANAGER),
          new SchedulerEffect.Suspect(THIRD, MANAGER));

  @Test
  void aLeaderThatDoesNotAnswerWithinT2IsSuspect() {
    CoreDriver driver = asked();
    assertEquals(MANAGER, place(driver).manager());
    driver.pass(4_999);
    assertEquals(List.of(), suspicions(driver));
    driver.pass(1);
    assertEquals(TOLD, suspicions(driver));
    assertEquals(List.of(), driver.asked());
  }

  @Test
  void theSameQuestionGoesToTheNewLeader() {
    CoreDriver driver = asked();
    place(driver);
    driver.pass(5_000);
    leads(driver, SECOND, THIRD, 2);
    SchedulerEffect.Place again = place(driver);
    assertEquals(THIRD, again.manager());
    assertEquals(List.of(FIRST), attempts(again));
    leads(driver, THIRD, THIRD, 2);
    assertEquals(List.of(), driver.asked(), "it was asked already");
    answers(driver, again, CoreDriver.placed(FIRST, NODE, 1));
    assertEquals(1, driver.take(SchedulerEffect.Dispatch.class).size());
    driver.succeeds(NODE, FIRST);
    assertEquals(THIRD, driver.take(SchedulerEffect.Over.class).get(0).manager());
  }

  @Test
  void whileNobodyElseLeadsTheOthersAreToldOnceInEachT1AndTheSuspectIsAskedAgain() {
    CoreDriver driver = asked();
    place(driver);
    driver.pass(5_000);
    int told = suspicions(driver).size();
    int asked = 0;
    for (int i = 0; i < 600; i++) {
      driver.pass(100);
      leads(driver, SECOND, MANAGER, 1); // elects still, or finds nothing wrong with it
      told += suspicions(driver).size();
      asked += driver.asked().size();
    }
    assertTrue(told >= 2 * 45 && told <= 2 * 61, "told " + told + " times in a minute");
    assertTrue(asked >= 9 && asked <= 10, "asked " + asked + " times in a minute");
  }

  @Test
  void aSingleManagerIsAskedAgainAfterT1UntilItAnswers() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 1);
    SchedulerEffect.Place first = place(driver);
    driver.pass(5_000);
    driver.pass(999);
    assertEquals(List.of(), driver.asked());
    driver.pass(251);
    SchedulerEffect.Place second = place(driver);
    assertEquals(first.requests(), second.requests());
    assertEquals(List.of(), suspicions(driver), "there is nobody to tell");
    answers(driver, first, CoreDriver.placed(FIRST, NODE, 1)); // late, but it counts
    assertEquals(1, driver.take(SchedulerEffect.Dispatch.class).size());
    answers(driver, second, CoreDriver.placed(FIRST, NODE, 1)); // the same again
    assertEquals(List.of(), driver.withdrawn());
    assertEquals(List.of(), driver.take(SchedulerEffect.Dispatch.class));
    driver.pass(10_000);
    assertEquals(List.of(), driver.asked(), "nothing is open any more");
  }

  @Test
  void aLateAnswerOfAnEarlierLeaderDoesNotCountAndStopsNothing() {
    CoreDriver driver = asked();
    SchedulerEffect.Place first = place(driver);
    driver.pass(5_000);
    leads(driver, SECOND, SECOND, 2);
    SchedulerEffect.Place second = place(driver);
    answers(driver, first, CoreDriver.placed(FIRST, OTHER, 1));
    assertEquals(List.of(), driver.take(SchedulerEffect.Dispatch.class));
    assertEquals(List.of(), driver.withdrawn(), "the new leader may give the same node");
    answers(driver, second, CoreDriver.placed(FIRST, NODE, 1));
    assertEquals(NODE, driver.take(SchedulerEffect.Dispatch.class).get(0).node());
  }

  @Test
  void aSecondPlacementOfARunningAttemptIsWithdrawnWhereItWasMade() {
    CoreDriver driver = asked();
    SchedulerEffect.Place first = place(driver);
    driver.pass(5_000);
    leads(driver, SECOND, SECOND, 2);
    answers(driver, place(driver), CoreDriver.placed(FIRST, NODE, 1));
    answers(driver, first, CoreDriver.placed(FIRST, OTHER, 1));
    SchedulerEffect.Withdraw withdraw = driver.take(SchedulerEffect.Withdraw.class).get(0);
    assertEquals(new SchedulerEffect.Withdraw(MANAGER, List.of(FIRST)), withdraw);
    assertEquals(List.of(), driver.cancelled());
    driver.succeeds(NODE, FIRST);
    assertEquals(1, driver.view(1).counts().done());
  }

  @Test
  void aPlacementThatComesWhenTheTaskIsQueuedAgainSpendsItsNumber() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 1);
    SchedulerEffect.Place first = place(driver);
    driver.pass(5_000);
    driver.pass(1_250);
    SchedulerEffect.Place second = place(driver);
    answers(driver, first, CoreDriver.notPlaced(FIRST));
    answers(driver, second, CoreDriver.placed(FIRST, NODE, 1));
    assertEquals(List.of(FIRST), driver.withdrawn());
    driver.pass(1_250);
    assertEquals(List.of(attempt(1, 0, 2)), driver.asked());
  }

  @Test
  void aFollowerAndTheOthersAreAskedWhoLeads() {
    CoreDriver driver = asked();
    SchedulerEffect.Place first = place(driver);
    driver.handle(
        new SchedulerEvent.NotAnswered(first.question(), fault("resources.follower", true)));
    assertEquals(
        List.of(MANAGER, SECOND, THIRD),
        suspicions(driver).stream().map(SchedulerEffect.Suspect::manager).toList());
    leads(driver, MANAGER, SECOND, 4);
    assertEquals(SECOND, place(driver).manager());
  }

  @Test
  void aLeaderThatIsNotThereIsSuspectAtOnce() {
    CoreDriver driver = asked();
    driver.handle(
        new SchedulerEvent.NotAnswered(place(driver).question(), fault("peer.down", true)));
    assertEquals(TOLD, suspicions(driver));
  }

  @Test
  void aLeaderWithTooMuchToDoIsAskedAgainAfterT1() {
    CoreDriver driver = asked();
    driver.handle(
        new SchedulerEvent.NotAnswered(place(driver).question(), fault("resources.full", true)));
    assertEquals(List.of(), suspicions(driver));
    driver.pass(999);
    assertEquals(List.of(), driver.asked());
    driver.pass(251);
    assertEquals(List.of(FIRST), driver.asked());
  }

  @Test
  void whoeverNamesAnEarlierTermOrIsNoManagerIsNotHeard() {
    CoreDriver driver = asked();
    place(driver);
    driver.pass(5_000);
    leads(driver, SECOND, THIRD, 5);
    place(driver);
    leads(driver, THIRD, SECOND, 4);
    leads(driver, node(93), SECOND, 6);
    assertEquals(List.of(), driver.asked());
    driver.handle(new SchedulerEvent.Leading(SECOND, Optional.empty(), new Authority("test", 6)));
    assertEquals(List.of(), driver.asked(), "they elect");
  }

  @Test
  void nothingNewIsAskedOfASuspectAndTheJobSaysWhy() {
    CoreDriver driver = asked();
    SchedulerEffect.Place first = place(driver);
    driver.submit(2, Specs.of(2).spec(), 1);
    place(driver);
    driver.pass(5_000);
    driver.submit(3, Specs.of(3).spec(), 1);
    assertEquals(List.of(), driver.asked());
    assertEquals(JobView.WaitReason.MANAGER, driver.view(3).waiting().orElseThrow().code());
    answers(driver, first, CoreDriver.placed(FIRST, NODE, 1)); // it is there after all
    assertEquals(List.of(attempt(3, 0, 1)), driver.asked());
    assertEquals(Optional.empty(), driver.view(3).waiting());
  }

  @Test
  void withoutAManagerEverythingWaits() {
    CoreDriver driver = CoreDriver.withNode();
    driver.handle(new SchedulerEvent.Managers(List.of(), Optional.empty()));
    driver.submit(1, Specs.of(1).spec(), 1);
    driver.pass(60_000);
    assertEquals(List.of(), driver.asked());
    driver.handle(new SchedulerEvent.Managers(List.of(SECOND), Optional.of(SECOND)));
    assertEquals(List.of(FIRST), driver.asked());
  }

  @Test
  void aJobThatHasEndedIsNotAskedForAgain() {
    CoreDriver driver = asked();
    place(driver);
    driver.handle(new SchedulerEvent.CancelAsked(jobId(1)));
    assertEquals(1, driver.core.inFlight());
    driver.pass(5_000);
    leads(driver, SECOND, SECOND, 2);
    assertEquals(List.of(), driver.asked());
    assertEquals(0, driver.core.inFlight(), "its slot is empty");
  }

  @Test
  void aQuestionHasAtMostSixtyFourRequests() {
    CoreDriver driver = asked();
    place(driver);
    driver.submit(2, Specs.of(2).spec(), 200);
    List<SchedulerEffect.Place> places = driver.take(SchedulerEffect.Place.class);
    assertEquals(List.of(64, 64, 64, 8), places.stream().map(p -> p.requests().size()).toList());
    assertEquals(
        IntStream.range(0, 200).mapToObj(i -> attempt(2, i, 1)).toList(),
        places.stream().flatMap(p -> attempts(p).stream()).toList());
  }
}
