package dev.weft.scheduler;

import static dev.weft.scheduler.CoreDriver.NODE;
import static dev.weft.scheduler.CoreDriver.OTHER;
import static dev.weft.scheduler.CoreDriver.attempt;
import static dev.weft.scheduler.CoreDriver.jobId;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.AttemptId;
import dev.weft.core.job.DrainStatus;
import dev.weft.core.job.JobView;
import dev.weft.core.job.TaskView.AttemptState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How a node is emptied. */
class DrainsTest {
  private static final AttemptId FIRST = attempt(1, 0, 1);
  private static final AttemptId SECOND = attempt(1, 1, 1);

  /** Two tasks run on the node, which is drained for ten seconds. */
  private static CoreDriver draining() {
    CoreDriver driver = CoreDriver.withNode();
    driver.up(OTHER, 1);
    driver.submit(1, Specs.of(1).spec(), 2);
    driver.placeAsked();
    driver.handle(new SchedulerEvent.DrainAsked(NODE, Duration.ofSeconds(10)));
    return driver;
  }

  private static DrainStatus status(CoreDriver driver) {
    return driver.core.drain(NODE).orElseThrow();
  }

  private static List<AttemptId> left(CoreDriver driver) {
    return status(driver).left().stream().map(DrainStatus.Left::attempt).toList();
  }

  /** Time passes, and the node tells that what it runs goes on. */
  private static void runOn(CoreDriver driver, long millis, AttemptId... attempts) {
    driver.pass(millis);
    for (AttemptId attempt : attempts) {
      driver.runs(NODE, attempt);
    }
  }

  @Test
  void whatRunsMayEnd() {
    CoreDriver driver = draining();
    assertEquals(List.of(FIRST, SECOND), left(driver));
    assertEquals("test", status(driver).left().get(0).job());
    assertEquals(driver.now.plusSeconds(10), status(driver).deadline());
    driver.runs(NODE, FIRST);
    assertEquals(AttemptState.RUNNING, status(driver).left().get(0).state());
    driver.succeeds(NODE, FIRST);
    assertFalse(status(driver).isDone());
    driver.succeeds(NODE, SECOND);
    assertTrue(status(driver).isDone());
    assertEquals(2, status(driver).ended());
    assertEquals(0, status(driver).withdrawn());
    assertEquals(List.of(), driver.cancelled());
  }

  @Test
  void whatIsLeftAtTheDeadlineIsTriedElsewhereAndDoesNotCountAsFailure() {
    CoreDriver driver = draining();
    driver.succeeds(NODE, FIRST);
    runOn(driver, 9_999, SECOND);
    assertEquals(List.of(), driver.cancelled());
    driver.pass(1);
    assertEquals(List.of(SECOND), driver.cancelled());
    assertEquals(List.of(SECOND), driver.withdrawn());
    assertEquals(List.of(attempt(1, 1, 2)), driver.asked());
    driver.placeAll(OTHER, 1, List.of(attempt(1, 1, 2)));
    driver.succeeds(OTHER, attempt(1, 1, 2));
    assertEquals(
        JobView.State.COMPLETING, driver.view(1).state(), "there are no retries to use up");
    assertEquals(1, status(driver).withdrawn());
    assertEquals(AttemptState.CANCELLED, status(driver).left().get(0).state());
  }

  @Test
  void aNodeIsEmptyOnlyWhenItHasSaidSo() {
    CoreDriver driver = draining();
    driver.succeeds(NODE, FIRST);
    runOn(driver, 9_000, SECOND);
    driver.pass(1_000);
    assertEquals(List.of(SECOND), driver.cancelled());
    driver.pass(14_999);
    assertEquals(List.of(), driver.cancelled());
    driver.pass(1);
    assertEquals(List.of(SECOND), driver.cancelled(), "nobody has confirmed the first");
    driver.runs(NODE, SECOND);
    assertEquals(List.of(SECOND), driver.notCurrent());
    driver.handle(new SchedulerEvent.Cancelled(NODE, List.of()));
    assertEquals(List.of(SECOND), left(driver));
    driver.handle(new SchedulerEvent.Cancelled(NODE, List.of(SECOND)));
    assertTrue(status(driver).isDone());
    assertEquals(2, status(driver).ended());
    driver.pass(60_000);
    assertEquals(List.of(), driver.cancelled());
  }

  @Test
  void aDrainWithoutPatienceWithdrawsAtOnce() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 1);
    driver.placeAsked();
    driver.handle(new SchedulerEvent.DrainAsked(NODE, Duration.ZERO));
    driver.tick();
    assertEquals(List.of(FIRST), driver.cancelled());
    assertEquals(1, status(driver).withdrawn());
  }

  @Test
  void whatWasPlacedJustBeforeIsNotStartedThere() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 1);
    List<AttemptId> asked = driver.asked();
    driver.handle(new SchedulerEvent.DrainAsked(NODE, Duration.ofSeconds(10)));
    driver.placeAll(NODE, 1, asked);
    assertEquals(asked, driver.withdrawn());
    assertEquals(List.of(), driver.take(SchedulerEffect.Dispatch.class));
    assertTrue(status(driver).isDone());
  }

  @Test
  void anEndedDrainWithdrawsNothing() {
    CoreDriver driver = draining();
    driver.handle(new SchedulerEvent.DrainEnded(NODE));
    assertEquals(Optional.empty(), driver.core.drain(NODE));
    runOn(driver, 11_000, FIRST, SECOND);
    assertEquals(List.of(), driver.cancelled());
    assertEquals(2, driver.view(1).counts().running());
  }

  @Test
  void aSecondDrainSetsAnotherDeadlineAndGoesOnCounting() {
    CoreDriver driver = draining();
    driver.succeeds(NODE, FIRST);
    driver.handle(new SchedulerEvent.DrainAsked(NODE, Duration.ofSeconds(30)));
    assertEquals(1, status(driver).ended());
    assertEquals(List.of(SECOND), left(driver));
    runOn(driver, 10_000, SECOND);
    assertEquals(List.of(), driver.cancelled());
    runOn(driver, 10_000, SECOND);
    driver.pass(10_000);
    assertEquals(List.of(SECOND), driver.cancelled());
  }

  @Test
  void aNodeThatGoesDownIsNotDrainedAnyMore() {
    CoreDriver driver = draining();
    driver.down(NODE, 1);
    assertEquals(Optional.empty(), driver.core.drain(NODE));
    assertEquals(List.of(attempt(1, 0, 2), attempt(1, 1, 2)), driver.asked());
  }

  @Test
  void aNodeThatRestartsIsNotDrainedAnyMore() {
    CoreDriver driver = draining();
    driver.up(NODE, 2);
    assertEquals(Optional.empty(), driver.core.drain(NODE));
  }

  @Test
  void aJobThatIsCancelledMeanwhileIsLeftUntilItsNodeHasStoppedIt() {
    CoreDriver driver = draining();
    driver.handle(new SchedulerEvent.CancelAsked(jobId(1)));
    assertEquals(List.of(FIRST, SECOND), left(driver));
    driver.handle(new SchedulerEvent.Cancelled(NODE, List.of(FIRST, SECOND)));
    assertTrue(status(driver).isDone());
    assertEquals(0, status(driver).withdrawn(), "nothing of it is tried elsewhere");
  }
}
