package dev.weft.scheduler;

import static dev.weft.scheduler.CoreDriver.NODE;
import static dev.weft.scheduler.CoreDriver.OTHER;
import static dev.weft.scheduler.CoreDriver.attempt;
import static dev.weft.scheduler.CoreDriver.jobId;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.AttemptId;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.core.job.BufferStatus;
import dev.weft.core.job.JobView;
import dev.weft.core.job.TaskView.AttemptState;
import dev.weft.scheduler.flow.BufferRules;
import dev.weft.scheduler.flow.BufferRules.Withdraw;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How the buffer pool fills, changes its size and is reset (D), and what a job may ask of it. */
class BufferPoolTest {
  private static BufferRules rules(int slots, double threshold, Withdraw withdraw) {
    return new BufferRules(
        slots,
        1,
        1_000,
        threshold,
        Duration.ofSeconds(10),
        1,
        1.5,
        0.5,
        Duration.ofSeconds(60),
        withdraw);
  }

  private static CoreDriver driver(BufferRules rules) {
    SchedulerSettings usual = Specs.SETTINGS;
    CoreDriver driver =
        new CoreDriver(
            new SchedulerSettings(
                rules,
                usual.retryWait(),
                usual.answerTimeout(),
                usual.statusTimeout(),
                usual.rules(),
                usual.jobsKept()));
    driver.up(NODE, 1);
    return driver;
  }

  private static List<AttemptId> attempts(int job, int from, int to, int number) {
    return IntStream.range(from, to).mapToObj(index -> attempt(job, index, number)).toList();
  }

  @Test
  void aTraversalBeginsOnlyBelowTheThresholdAndFillsEverySlot() {
    CoreDriver driver = driver(rules(10, 0.5, Withdraw.SILENT));
    driver.submit(1, Specs.of(1).spec(), 100);
    assertEquals(10, driver.placeAsked().size());
    for (int index = 0; index < 5; index++) {
      assertEquals(List.of(), driver.asked(), "with " + (10 - index) + " slots taken");
      driver.succeeds(NODE, attempt(1, index, 1));
    }
    driver.succeeds(NODE, attempt(1, 5, 1));
    assertEquals(attempts(1, 10, 16, 1), driver.asked());
  }

  @Test
  void shortTasksMakeThePoolGrow() {
    CoreDriver driver = driver(rules(2, 1, Withdraw.SILENT));
    driver.submit(1, Specs.of(1).spec(), 100);
    List<AttemptId> running = driver.placeAsked();
    driver.pass(10_000); // the first window began without tasks
    for (int i = 0; i < 10; i++) {
      driver.succeeds(NODE, running.get(0));
      running = driver.placeAsked();
    }
    driver.pass(10_000);
    BufferStatus status = driver.core.buffer();
    assertEquals(3, status.slots());
    assertEquals("N = 10 > U = 3.0: short tasks", status.changes().get(0).reason());
    assertEquals(1.5, status.upper() / status.baseline());
  }

  @Test
  void longTasksMakeItShrinkAndWhatRunsGoesOn() {
    CoreDriver driver = driver(rules(8, 1, Withdraw.SILENT));
    driver.submit(1, Specs.of(1).spec(), 4);
    List<AttemptId> running = driver.placeAsked();
    driver.submit(2, Specs.of(2).spec(), 8);
    driver.refuseAll(driver.asked());
    for (int i = 0; i < 2; i++) {
      driver.pass(10_000);
      running.forEach(attempt -> driver.runs(NODE, attempt));
      driver.refuseAll(driver.asked());
    }
    assertEquals(4, driver.core.buffer().slots());
    assertEquals(4, driver.view(1).counts().running());
    assertEquals(List.of(), driver.withdrawn());
  }

  @Test
  void aStalledPoolIsLeftAloneWhileNodesSpeak() {
    CoreDriver driver = driver(rules(1, 1, Withdraw.SILENT));
    driver.submit(1, Specs.of(1).spec(), 1);
    AttemptId running = driver.placeAsked().get(0);
    for (int i = 0; i < 20; i++) {
      driver.pass(10_000);
      driver.runs(NODE, running);
    }
    assertEquals(List.of(), driver.withdrawn());
    assertEquals(List.of(), driver.core.buffer().changes());
  }

  @Test
  void theLiteralResetWithdrawsEverythingAndALateResultDoesNotCount() {
    CoreDriver driver = driver(rules(1, 1, Withdraw.ALL));
    driver.submit(1, Specs.of(1).spec(), 1);
    AttemptId running = driver.placeAsked().get(0);
    for (int i = 0; i < 6; i++) {
      driver.pass(10_000);
      driver.runs(NODE, running);
    }
    assertEquals(List.of(), driver.withdrawn());
    driver.pass(10_000); // N has changed last when the first window ended
    assertEquals(List.of(running), driver.withdrawn());
    assertEquals(List.of(running), driver.cancelled());
    assertEquals(AttemptState.CANCELLED, driver.task(1, 0).attempt(1).orElseThrow().state());
    assertEquals(attempts(1, 0, 1, 2), driver.placeAsked(), "it is injected again");
    driver.succeeds(NODE, running);
    assertEquals(0, driver.view(1).counts().done());
    assertEquals(
        "nothing has changed for 60000 ms: reset, 1 withdrawn",
        driver.core.buffer().changes().get(0).reason());
  }

  @Test
  void aJobRunsNoMoreTasksThanItMay() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).parallel(2).spec(), 5);
    assertEquals(attempts(1, 0, 2, 1), driver.placeAsked());
    JobView.Waiting waiting = driver.view(1).waiting().orElseThrow();
    assertEquals(JobView.WaitReason.PARALLEL, waiting.code());
    assertEquals("2 tasks of the job are placed or run; its file allows no more", waiting.reason());
    driver.succeeds(NODE, attempt(1, 1, 1));
    assertEquals(attempts(1, 2, 3, 1), driver.placeAsked());
    driver.fails(NODE, attempt(1, 0, 1), true);
    assertEquals(JobView.State.FAILED, driver.view(1).state(), "it has no retries");
    assertEquals(0, driver.core.inFlight());
  }

  @Test
  void aGangIsAskedForWholeAndMayExceedTheSlots() {
    CoreDriver driver = driver(rules(2, 1, Withdraw.SILENT));
    driver.submit(1, Specs.of(1).asGang().spec(), 5);
    List<Request> asked = driver.requests();
    assertEquals(5, asked.size());
    assertEquals(1, asked.stream().map(Request::gang).distinct().count());
    assertTrue(asked.get(0).gang().isPresent());
    driver.placeAll(NODE, 1, asked.stream().map(Request::attempt).toList());
    assertEquals(5, driver.core.buffer().occupied());
    driver.submit(2, Specs.of(1).spec(), 1);
    assertEquals(List.of(), driver.asked(), "no slot is empty");
    driver.succeeds(NODE, attempt(1, 0, 1));
    assertEquals(List.of(), driver.asked(), "those beyond the size vanish");
  }

  @Test
  void aGangThatFindsNoNodesWaitsWholeAndDoesNotHoldUpSingleTasks() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).asGang().spec(), 3);
    driver.refuseAll(driver.asked());
    driver.submit(2, Specs.of(1).spec(), 1);
    assertEquals(attempts(2, 0, 1, 1), driver.placeAsked(), "of the same demand");
    driver.pass(1_250);
    assertEquals(attempts(1, 0, 3, 1), driver.asked());
  }

  @Test
  void aTaskOfAGangThatIsTriedAgainJoinsTheOthers() {
    CoreDriver driver = CoreDriver.withNode();
    driver.up(OTHER, 1);
    driver.submit(1, Specs.of(1).asGang().retries(3).spec(), 3);
    driver.placeAsked();
    driver.fails(NODE, attempt(1, 1, 1), true);
    driver.pass(1_000);
    List<Request> asked = driver.requests();
    assertEquals(attempts(1, 1, 2, 2), asked.stream().map(Request::attempt).toList());
    assertEquals(OptionalLong.empty(), asked.get(0).gang());
  }

  @Test
  void whoHasNothingYetGoesBeforeWhoHasMuch() {
    CoreDriver driver = driver(rules(4, 1, Withdraw.SILENT));
    driver.submit(1, Specs.of(1).spec(), 100);
    driver.placeAsked();
    driver.submitAs("bob", 2, Specs.of(1).spec(), 100);
    for (int index = 0; index < 2; index++) {
      driver.succeeds(NODE, attempt(1, index, 1));
      assertEquals(attempts(2, index, index + 1, 1), driver.placeAsked());
    }
    BufferStatus status = driver.core.buffer();
    assertEquals(Map.of(CoreDriver.SUBMITTER, 2, "bob", 2), status.shares());
    assertEquals(4, status.occupied());
    assertEquals(194, status.queued());
    driver.handle(new SchedulerEvent.CancelAsked(jobId(2)));
    assertEquals(Map.of(CoreDriver.SUBMITTER, 4), driver.core.buffer().shares());
  }
}
