package dev.weft.scheduler;

import static dev.weft.scheduler.CoreDriver.NODE;
import static dev.weft.scheduler.CoreDriver.OTHER;
import static dev.weft.scheduler.CoreDriver.attempt;
import static dev.weft.scheduler.CoreDriver.jobId;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.AttemptId;
import dev.weft.core.job.JobView;
import dev.weft.core.resources.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which tasks are asked for, when and in which order (A4, D1, D4). */
class InjectionTest {
  private static List<AttemptId> firstOf(int job, int from, int to) {
    return IntStream.range(from, to).mapToObj(index -> attempt(job, index, 1)).toList();
  }

  @Test
  void tasksAreAskedForInOrderOfIndexUpToTheSlots() {
    CoreDriver driver = new CoreDriver(Specs.settings(4));
    driver.up(NODE, 1);
    driver.submit(1, Specs.of(1).spec(), 10);
    assertEquals(firstOf(1, 0, 4), driver.asked());
    driver.tick();
    assertEquals(List.of(), driver.asked());
  }

  @Test
  void aResultEmptiesItsSlotAndTheNextTaskTakesIt() {
    CoreDriver driver = new CoreDriver(Specs.settings(2));
    driver.up(NODE, 1);
    driver.submit(1, Specs.of(1).spec(), 5);
    driver.placeAsked();
    assertEquals(List.of(), driver.asked());
    driver.succeeds(NODE, attempt(1, 0, 1));
    assertEquals(firstOf(1, 2, 3), driver.asked());
  }

  @Test
  void higherPriorityGoesFirst() {
    CoreDriver driver = new CoreDriver(Specs.settings(2));
    driver.submit(1, Specs.of(1).priority(50).spec(), 4);
    assertEquals(firstOf(1, 0, 2), driver.asked());
    driver.submit(2, Specs.of(2).priority(60).spec(), 4);
    driver.refuseAll(firstOf(1, 0, 2));
    assertEquals(firstOf(2, 0, 2), driver.asked());
  }

  @Test
  void jobsOfEqualPriorityTakeTurns() {
    CoreDriver driver = new CoreDriver(Specs.settings(1));
    driver.up(NODE, 1);
    driver.submit(1, Specs.of(1).spec(), 1_000);
    driver.submit(2, Specs.of(1).spec(), 3);
    List<AttemptId> order = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      List<AttemptId> asked = driver.placeAsked();
      order.addAll(asked);
      driver.succeeds(NODE, asked.get(0));
    }
    assertEquals(
        List.of(
            attempt(1, 0, 1),
            attempt(1, 1, 1),
            attempt(2, 0, 1),
            attempt(1, 2, 1),
            attempt(2, 1, 1),
            attempt(1, 3, 1)),
        order);
  }

  @Test
  void aRefusedDemandIsAskedForOnceInEachRetryWait() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 1_000);
    driver.refuseAll(driver.asked());
    assertEquals(List.of(), driver.asked());
    driver.pass(999);
    assertEquals(List.of(), driver.asked());
    driver.pass(251); // T1 has a jitter of a quarter
    assertEquals(firstOf(1, 0, 1), driver.asked());
    driver.refuseAll(firstOf(1, 0, 1));
    driver.pass(999);
    assertEquals(List.of(), driver.asked());
  }

  @Test
  void anotherDemandIsNotHeldUp() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(8_000).spec(), 10);
    driver.refuseAll(driver.asked());
    driver.submit(2, Specs.of(1).spec(), 2);
    assertEquals(firstOf(2, 0, 2), driver.asked());
  }

  @Test
  void aReleaseIsNewsAndWhatFitsGrowsTheQuestion() {
    CoreDriver driver = new CoreDriver(Specs.settings(16));
    driver.up(NODE, 1);
    driver.submit(1, Specs.of(1).spec(), 100);
    List<Placement> answers = new ArrayList<>();
    for (AttemptId attempt : driver.asked()) {
      answers.add(
          attempt.task().index() < 2
              ? CoreDriver.placed(attempt, NODE, 1)
              : CoreDriver.notPlaced(attempt));
    }
    driver.answer(answers);
    assertEquals(List.of(), driver.asked());
    driver.succeeds(NODE, attempt(1, 0, 1));
    assertEquals(firstOf(1, 16, 17), driver.asked(), "what was refused rests for T1");
    driver.placeAll(NODE, 1, firstOf(1, 16, 17));
    assertEquals(firstOf(1, 17, 19), driver.asked());
    driver.placeAll(NODE, 1, firstOf(1, 17, 19));
    assertEquals(firstOf(1, 19, 23), driver.asked());
    driver.pass(1_250);
    driver.placeAll(NODE, 1, firstOf(1, 19, 23));
    assertEquals(firstOf(1, 2, 10), driver.asked());
  }

  @Test
  void aNodeThatComesOpensTheGate() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 100);
    driver.refuseAll(driver.asked());
    driver.pass(1_250);
    driver.refuseAll(driver.asked());
    driver.up(OTHER, 1);
    assertEquals(99, driver.asked().size());
  }

  @Test
  void aRefusalFromBeforeTheNewsDoesNotHoldUpOthers() {
    CoreDriver driver = new CoreDriver(Specs.settings(2));
    driver.up(NODE, 1);
    driver.submit(1, Specs.of(1).spec(), 4);
    driver.placeAll(NODE, 1, firstOf(1, 0, 1));
    driver.asked();
    driver.succeeds(NODE, attempt(1, 0, 1)); // while the second is still being asked for
    assertEquals(firstOf(1, 2, 3), driver.asked());
    driver.refuseAll(firstOf(1, 1, 2));
    assertEquals(List.of(), driver.asked(), "one at a time from now on");
    driver.refuseAll(firstOf(1, 2, 3));
    assertEquals(List.of(), driver.asked(), "no news since");
  }

  @Test
  void aPlacementOnANodeThatIsNotKnownIsGivenBackAndWaits() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 1);
    driver.placeAll(OTHER, 1, driver.asked());
    assertEquals(firstOf(1, 0, 1), driver.withdrawn());
    assertEquals(List.of(), driver.asked(), "or both would ask each other without end");
    driver.pass(1_250);
    assertEquals(List.of(attempt(1, 0, 2)), driver.asked(), "its number is spent");
  }

  @Test
  void aPlacementForACancelledJobIsGivenBack() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 1);
    List<AttemptId> asked = driver.asked();
    driver.handle(new SchedulerEvent.CancelAsked(jobId(1)));
    driver.placeAll(NODE, 1, asked);
    assertEquals(asked, driver.withdrawn());
    assertEquals(List.of(), driver.take(SchedulerEffect.Dispatch.class));
    assertEquals(0, driver.core.inFlight());
  }

  @Test
  void aJobSaysWhyItWaits() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 2);
    driver.refuseAll(driver.asked());
    JobView.Waiting waiting = driver.view(1).waiting().orElseThrow();
    assertEquals(0, waiting.task());
    assertEquals("no node fits now", waiting.reason());
    assertEquals(JobView.WaitReason.RESOURCES, waiting.code());
    assertEquals("full", waiting.refusals().get(NODE).message());
    driver.submit(2, Specs.of(1).spec(), 1);
    assertEquals("no node fits now", driver.view(2).waiting().orElseThrow().reason());
  }

  @Test
  void aMillionWaitingTasksCostOneQuestionInEachRetryWait() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 1_000_000);
    driver.refuseAll(driver.asked());
    int asked = 0;
    for (int i = 0; i < 600; i++) {
      driver.pass(100);
      List<AttemptId> again = driver.asked();
      asked += again.size();
      driver.refuseAll(again);
    }
    assertTrue(asked >= 45 && asked <= 60, "asked " + asked + " times in a minute");
    driver.handle(new SchedulerEvent.CancelAsked(jobId(1)));
    assertEquals(JobView.State.CANCELLED, driver.view(1).state());
  }

  @Test
  void settingsThatChangeHoldAtOnce() {
    CoreDriver driver = new CoreDriver(Specs.settings(1));
    driver.up(NODE, 1);
    driver.submit(1, Specs.of(1).spec(), 10);
    assertEquals(firstOf(1, 0, 1), driver.placeAsked());
    driver.core.configure(Specs.settings(4), driver.now);
    driver.tick();
    assertEquals(firstOf(1, 1, 4), driver.placeAsked());
    driver.core.configure(Specs.settings(2), driver.now);
    driver.succeeds(NODE, attempt(1, 0, 1));
    driver.succeeds(NODE, attempt(1, 1, 1));
    assertEquals(List.of(), driver.asked(), "as many run as may");
    driver.succeeds(NODE, attempt(1, 2, 1));
    assertEquals(firstOf(1, 4, 5), driver.asked());
  }
}
