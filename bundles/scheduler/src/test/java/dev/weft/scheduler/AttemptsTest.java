package dev.weft.scheduler;

import static dev.weft.scheduler.CoreDriver.NODE;
import static dev.weft.scheduler.CoreDriver.OTHER;
import static dev.weft.scheduler.CoreDriver.attempt;
import static dev.weft.scheduler.CoreDriver.fault;
import static dev.weft.scheduler.CoreDriver.jobId;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.AttemptId;
import dev.weft.core.job.JobView;
import dev.weft.core.job.TaskView;
import dev.weft.core.message.Message;
import dev.weft.core.message.Outcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of attempts (A7, A8, B7, B8, I2). */
class AttemptsTest {
  private static final AttemptId FIRST = attempt(1, 0, 1);
  private static final AttemptId SECOND = attempt(1, 0, 2);

  /** A job of one task whose first attempt is dispatched. */
  private static CoreDriver dispatched(int retries) {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).retries(retries).spec(), 1);
    assertEquals(List.of(FIRST), driver.placeAsked());
    return driver;
  }

  @Test
  void aSilentAttemptIsLostAndRunsAgain() {
    CoreDriver driver = dispatched(0);
    driver.pass(15_000);
    assertEquals(List.of(), driver.asked());
    driver.pass(1);
    assertEquals(List.of(SECOND), driver.placeAsked());
    assertEquals(List.of(FIRST), driver.cancelled());
    assertEquals(List.of(FIRST), driver.withdrawn());
    assertEquals(List.of(), driver.over(), "it may still run");
    TaskView.AttemptView lost = driver.task(1, 0).attempt(1).orElseThrow().view();
    assertEquals(TaskView.AttemptState.LOST, lost.state());
    assertEquals(JobView.Desired.STOP, lost.desired());
    assertEquals(JobView.State.RUNNING, driver.view(1).state());
  }

  @Test
  void aStatusKeepsAnAttempt() {
    CoreDriver driver = dispatched(0);
    for (int i = 0; i < 10; i++) {
      driver.pass(14_000);
      driver.runs(NODE, FIRST);
    }
    assertEquals(List.of(), driver.asked());
    assertEquals(List.of(), driver.notCurrent());
  }

  @Test
  void theLateOutcomeOfALostAttemptIsNotCountedButIsOver() {
    CoreDriver driver = dispatched(0);
    driver.pass(15_001);
    driver.placeAsked();
    driver.succeeds(NODE, FIRST);
    assertEquals(List.of(FIRST), driver.over());
    assertEquals(0, driver.view(1).counts().done());
    assertEquals(List.of(), driver.notCurrent(), "it has ended, there is nothing to stop");
    driver.succeeds(NODE, SECOND);
    assertEquals(1, driver.view(1).counts().done());
    assertEquals(
        CoreDriver.content(SECOND),
        driver.take(SchedulerEffect.Deliver.class).get(0).results().get(0).content());
  }

  @Test
  void aLostAttemptThatStillRunsIsToldToStop() {
    CoreDriver driver = dispatched(0);
    driver.pass(15_001);
    driver.runs(NODE, FIRST);
    assertEquals(List.of(FIRST), driver.notCurrent());
    assertEquals(List.of(), driver.over());
  }

  @Test
  void aCancelledAttemptIsOverWhenItsNodeSaysSo() {
    CoreDriver driver = dispatched(0);
    driver.handle(new SchedulerEvent.CancelAsked(jobId(1)));
    assertEquals(List.of(FIRST), driver.cancelled());
    assertEquals(List.of(FIRST), driver.withdrawn());
    driver.handle(new SchedulerEvent.Cancelled(NODE, List.of()));
    driver.pass(60_000);
    assertEquals(List.of(), driver.over(), "it is still being stopped");
    driver.handle(new SchedulerEvent.Cancelled(NODE, List.of(FIRST)));
    assertEquals(List.of(FIRST), driver.over());
  }

  @Test
  void theAttemptsOfALostNodeRunElsewhereAndDoNotCountAsRetries() {
    CoreDriver driver = dispatched(0);
    driver.up(OTHER, 1);
    driver.down(NODE, 1);
    assertEquals(List.of(FIRST), driver.withdrawn());
    assertEquals(List.of(), driver.over(), "nobody has said so");
    assertEquals(List.of(SECOND), driver.asked());
    driver.placeAll(OTHER, 1, List.of(SECOND));
    driver.succeeds(OTHER, SECOND);
    assertEquals(1, driver.view(1).counts().done());
  }

  @Test
  void whatRanInAnEarlierBootIsLost() {
    CoreDriver driver = dispatched(0);
    driver.up(NODE, 2);
    assertEquals(List.of(FIRST), driver.withdrawn());
    assertEquals(List.of(SECOND), driver.asked());
    driver.down(NODE, 1); // of the earlier boot, overtaken
    driver.placeAll(NODE, 2, List.of(SECOND));
    assertEquals(2, driver.take(SchedulerEffect.Dispatch.class).get(1).boot());
  }

  @Test
  void aSecondAddressOfANodeChangesNothing() {
    CoreDriver driver = dispatched(0);
    driver.up(NODE, 1);
    assertEquals(List.of(), driver.withdrawn());
    assertEquals(List.of(), driver.asked());
  }

  @Test
  void whatANodeRefusesWaitsAndDoesNotCountAsFailure() {
    CoreDriver driver = dispatched(0);
    driver.refuses(NODE, FIRST, true);
    assertEquals(List.of(FIRST), driver.over());
    assertEquals(List.of(), driver.asked());
    driver.pass(1_250);
    assertEquals(List.of(SECOND), driver.asked());
    assertEquals(0, driver.view(1).nodes().get(0).failed());
  }

  @Test
  void whatANodeRefusesForEverFailsTheJob() {
    CoreDriver driver = dispatched(5);
    driver.refuses(NODE, FIRST, false);
    assertEquals(JobView.State.FAILED, driver.view(1).state());
    assertEquals("resources.lacking", driver.view(1).fault().orElseThrow().code());
  }

  @Test
  void oneNodeCannotRefuseForAnother() {
    CoreDriver driver = dispatched(0);
    driver.refuses(OTHER, FIRST, true);
    assertEquals(1, driver.view(1).counts().running());
  }

  @Test
  void aSilentPeerMayHaveStartedIt() {
    CoreDriver driver = dispatched(0);
    driver.answers(NODE, List.of(FIRST), new Message.Failed(fault("peer.silent", true)));
    assertEquals(List.of(FIRST), driver.cancelled());
    assertEquals(List.of(FIRST), driver.withdrawn());
    assertEquals(List.of(), driver.over());
    assertEquals(List.of(SECOND), driver.asked());
  }

  @Test
  void aFullBusDidNotSendIt() {
    CoreDriver driver = dispatched(0);
    driver.answers(NODE, List.of(FIRST), new Message.Failed(fault("bus.full", true)));
    assertEquals(List.of(FIRST), driver.withdrawn());
    assertEquals(List.of(), driver.cancelled());
    assertEquals(List.of(), driver.asked());
    driver.pass(1_250);
    assertEquals(List.of(SECOND), driver.asked());
  }

  @Test
  void aRefusalOfACancelledAttemptIsTheEndOfIt() {
    CoreDriver driver = dispatched(0);
    driver.handle(new SchedulerEvent.CancelAsked(jobId(1)));
    driver.refuses(NODE, FIRST, true);
    assertEquals(List.of(FIRST), driver.over());
    assertEquals(List.of(), driver.asked());
  }

  @Test
  void aFailureIsTriedAgainAfterTheBackOff() {
    CoreDriver driver = dispatched(1);
    driver.fails(NODE, FIRST, true);
    assertEquals(List.of(FIRST), driver.over());
    driver.pass(999);
    assertEquals(List.of(), driver.asked());
    driver.pass(1);
    assertEquals(List.of(SECOND), driver.placeAsked());
    driver.fails(NODE, SECOND, true);
    JobView view = driver.view(1);
    assertEquals(JobView.State.FAILED, view.state());
    assertEquals(
        "task 0 failed on host-1 (attempt 2): it went wrong", view.fault().orElseThrow().message());
    assertEquals(2, view.nodes().get(0).failed());
    assertEquals(TaskView.State.FAILED, driver.task(1, 0).state());
  }

  @Test
  void aFailureThatCannotGetBetterIsNotTriedAgain() {
    CoreDriver driver = dispatched(10);
    driver.fails(NODE, FIRST, false);
    assertEquals(JobView.State.FAILED, driver.view(1).state());
  }

  @Test
  void aStoppedAttemptIsLost() {
    CoreDriver driver = dispatched(0);
    driver.ended(NODE, FIRST, new Outcome.Stopped("no answer"));
    assertEquals(List.of(FIRST), driver.over());
    assertEquals(List.of(SECOND), driver.asked());
  }

  @Test
  void anOutcomeCountsOnce() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 2);
    driver.placeAsked();
    driver.succeeds(NODE, FIRST);
    driver.succeeds(NODE, FIRST);
    driver.fails(NODE, FIRST, false);
    assertEquals(1, driver.view(1).counts().done());
    assertEquals(JobView.State.RUNNING, driver.view(1).state());
    assertEquals(3, driver.take(SchedulerEffect.AnswerStatus.class).size());
  }

  @Test
  void anUnknownAttemptIsNotCurrent() {
    CoreDriver driver = CoreDriver.withNode();
    driver.runs(NODE, FIRST);
    assertEquals(List.of(FIRST), driver.notCurrent());
    driver.succeeds(NODE, FIRST);
    assertEquals(List.of(), driver.notCurrent());
  }

  @Test
  void aStatusFromAnotherNodeDoesNotCount() {
    CoreDriver driver = dispatched(0);
    driver.succeeds(OTHER, FIRST);
    driver.runs(OTHER, FIRST);
    assertEquals(List.of(FIRST), driver.notCurrent());
    assertEquals(0, driver.view(1).counts().done());
    driver.pass(15_001);
    driver.succeeds(OTHER, FIRST); // withdrawn meanwhile
    assertEquals(0, driver.view(1).counts().done());
    assertTrue(
        driver.take(SchedulerEffect.Over.class).stream()
            .allMatch(over -> over.node().equals(OTHER)),
        "a node speaks of itself alone");
  }

  @Test
  void aTaskThatMayHaveEndedItsNodesIsGivenUp() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 2);
    for (int i = 1; i <= Task.MAXIMUM_NODES_LOST; i++) {
      assertEquals(2, driver.placeAsked().size(), "try " + i);
      driver.down(NODE, 1); // both are lost: the job ends in the middle of it
      driver.up(NODE, 1);
    }
    JobView view = driver.view(1);
    assertEquals(JobView.State.NODE_FAIL, view.state());
    assertEquals("task.nodes-lost", view.fault().orElseThrow().code());
    assertTrue(
        view.fault().get().message().endsWith("was running on a node that was lost, 10 times"));
    assertEquals(new JobView.Counts(2, 0, 0, 0, 1), view.counts());
    assertEquals(1, driver.take(SchedulerEffect.ForgetStaging.class).size(), "it ends once");
    assertEquals(0, driver.core.inFlight());
    driver.pass(1_000);
    assertEquals(List.of(), driver.asked());
  }

  @Test
  void aTaskIsTriedAHundredTimesAtMost() {
    CoreDriver driver = dispatched(0);
    for (int i = 1; i < Task.MAXIMUM_TRIES; i++) {
      driver.ended(NODE, new AttemptId(FIRST.task(), i), new Outcome.Stopped("stopped"));
      AttemptId next = new AttemptId(FIRST.task(), i + 1);
      assertEquals(List.of(next), driver.asked());
      driver.placeAll(NODE, 1, List.of(next));
    }
    driver.ended(
        NODE, new AttemptId(FIRST.task(), Task.MAXIMUM_TRIES), new Outcome.Stopped("stopped"));
    assertEquals("task.tries", driver.view(1).fault().orElseThrow().code());
  }

  @Test
  void anAttemptKeepsTheTimeoutThatItsNodeWasToldTheRulesFor() {
    CoreDriver driver = dispatched(0);
    driver.core.configure(
        Specs.settings(
            256,
            Duration.ofSeconds(1),
            new Message.StatusRules(Duration.ofMillis(100), 2, Duration.ZERO),
            100),
        driver.now);
    driver.pass(15_000);
    assertEquals(List.of(), driver.asked());
    driver.pass(1);
    assertEquals(List.of(SECOND), driver.placeAsked());
    driver.pass(1_001);
    assertEquals(List.of(attempt(1, 0, 3)), driver.asked());
  }

  @Test
  void onlyTheLastSixteenAttemptsAreRemembered() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 1);
    for (int i = 0; i < 20; i++) {
      driver.placeAsked();
      driver.ended(NODE, attempt(1, 0, i + 1), new Outcome.Stopped("asked to"));
    }
    List<TaskView.AttemptView> attempts =
        driver.core.job(jobId(1)).orElseThrow().taskViews().get(0).attempts();
    assertEquals(16, attempts.size());
    assertEquals(5, attempts.get(0).number());
    assertTrue(attempts.stream().allMatch(view -> view.state() == TaskView.AttemptState.STOPPED));
    TaskView.AttemptView first = attempts.get(0);
    attempts.forEach(
        view -> assertSame(first.decision(), view.decision(), "equal decisions are one object"));
  }

  /** A job of two tasks that both run for the last time, on one node. */
  private static CoreDriver atTheLastTry() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 2);
    driver.placeAsked();
    for (int i = 1; i < Task.MAXIMUM_TRIES; i++) {
      driver.ended(NODE, attempt(1, 0, i), new Outcome.Stopped("stopped"));
      driver.ended(NODE, attempt(1, 1, i), new Outcome.Stopped("stopped"));
      assertEquals(2, driver.placeAsked().size(), "try " + (i + 1));
    }
    driver.over();
    return driver;
  }

  private static void assertGivenUpOnce(CoreDriver driver) {
    assertEquals("task.tries", driver.view(1).fault().orElseThrow().code());
    assertEquals(new JobView.Counts(2, 0, 0, 0, 1), driver.view(1).counts());
    assertEquals(0, driver.view(1).nodes().get(0).running());
    assertEquals(1, driver.take(SchedulerEffect.ForgetStaging.class).size(), "it ends once");
    driver.pass(1_000);
    assertEquals(List.of(), driver.asked());
    assertEquals(JobView.State.FAILED, driver.view(1).state());
  }

  @Test
  void aJobThatEndsAtItsLastTryBySilenceEndsOnce() {
    CoreDriver driver = atTheLastTry();
    driver.pass(15_001); // both are silent: the job ends in the middle of it
    assertEquals(2, driver.cancelled().stream().distinct().count());
    assertEquals(2, driver.withdrawn().stream().distinct().count());
    assertEquals(List.of(), driver.over(), "both may still run");
    assertEquals(0, driver.core.inFlight());
    assertGivenUpOnce(driver);
  }

  @Test
  void aJobThatEndsAtItsLastTryWithItsNodeEndsOnce() {
    CoreDriver driver = atTheLastTry();
    driver.down(NODE, 1);
    List<AttemptId> withdrawn = driver.withdrawn();
    assertEquals(2, withdrawn.size(), "each is withdrawn once");
    assertEquals(2, withdrawn.stream().distinct().count());
    assertEquals(0, driver.core.inFlight());
    assertGivenUpOnce(driver);
  }
}
