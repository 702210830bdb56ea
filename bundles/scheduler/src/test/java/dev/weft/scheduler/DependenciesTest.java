package dev.weft.scheduler;

import static dev.weft.scheduler.CoreDriver.NODE;
import static dev.weft.scheduler.CoreDriver.SUBMITTER;
import static dev.weft.scheduler.CoreDriver.attempt;
import static dev.weft.scheduler.CoreDriver.fault;
import static dev.weft.scheduler.CoreDriver.jobId;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.job.JobSpec;
import dev.weft.core.job.JobView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How jobs wait for other jobs. */
class DependenciesTest {
  private static JobSpec needing(int... jobs) {
    List<JobId> needs = IntStream.of(jobs).mapToObj(CoreDriver::jobId).toList();
    return Specs.of(1).needing(needs);
  }

  private static void accept(CoreDriver driver, int job, JobSpec spec) {
    driver.handle(new SchedulerEvent.Accepted(jobId(job), spec, SUBMITTER));
  }

  private static void complete(CoreDriver driver, int job) {
    driver.placeAsked();
    driver.succeeds(NODE, attempt(job, 0, 1));
    driver.handle(new SchedulerEvent.Delivered(jobId(job)));
    assertEquals(JobView.State.COMPLETED, driver.view(job).state());
  }

  private static List<JobId> cut(CoreDriver driver) {
    return driver.take(SchedulerEffect.Split.class).stream()
        .map(SchedulerEffect.Split::job)
        .toList();
  }

  @Test
  void aJobIsCutWhenAllThatItNeedsIsCompleted() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 1);
    driver.submit(2, Specs.of(1).spec(), 1);
    assertEquals(List.of(jobId(1), jobId(2)), cut(driver));
    accept(driver, 3, needing(1, 2));
    JobView waits = driver.view(3);
    assertEquals(JobView.State.PENDING, waits.state());
    assertEquals(List.of(jobId(1), jobId(2)), waits.needs());
    assertEquals(JobView.WaitReason.DEPENDENCY, waits.waiting().orElseThrow().code());
    assertEquals(-1, waits.waiting().orElseThrow().task());
    assertEquals(
        "needs 2 jobs, 00000000 among them, not completed yet",
        waits.waiting().orElseThrow().reason());
    driver.placeAsked();
    driver.succeeds(NODE, attempt(1, 0, 1));
    driver.handle(new SchedulerEvent.Delivered(jobId(1)));
    assertEquals(List.of(), cut(driver));
    assertEquals(
        "needs job 00000000, not completed yet", driver.view(3).waiting().orElseThrow().reason());
    driver.succeeds(NODE, attempt(2, 0, 1));
    assertEquals(List.of(), cut(driver), "its result is not delivered yet");
    driver.handle(new SchedulerEvent.Delivered(jobId(2)));
    assertEquals(List.of(jobId(3)), cut(driver));
    assertEquals(JobView.State.CONFIGURING, driver.view(3).state());
    assertEquals(Optional.empty(), driver.view(3).waiting());
  }

  @Test
  void aJobThatNeedsACompletedOneIsCutAtOnce() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 1);
    complete(driver, 1);
    cut(driver);
    accept(driver, 2, needing(1));
    assertEquals(List.of(jobId(2)), cut(driver));
  }

  @Test
  void anUnknownJobFailsTheOneThatNeedsIt() {
    CoreDriver driver = CoreDriver.withNode();
    accept(driver, 1, needing(7));
    Fault fault = driver.view(1).fault().orElseThrow();
    assertEquals(JobView.State.FAILED, driver.view(1).state());
    assertEquals("job.dependency", fault.code());
    assertEquals(Fault.Category.USER, fault.category());
    assertTrue(fault.message().contains(jobId(7).hex()), fault::message);
    assertEquals(List.of(), cut(driver));
    accept(driver, 2, needing(2));
    assertEquals("job.dependency", driver.view(2).fault().orElseThrow().code());
  }

  @Test
  void aJobThatEndsOtherwiseFailsAllThatDependOnIt() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 1);
    accept(driver, 2, needing(1));
    accept(driver, 3, needing(2));
    accept(driver, 4, needing(1, 3));
    driver.handle(new SchedulerEvent.CancelAsked(jobId(1)));
    for (int job = 2; job <= 4; job++) {
      assertEquals(JobView.State.FAILED, driver.view(job).state());
      assertEquals("job.dependency", driver.view(job).fault().orElseThrow().code());
    }
    assertEquals(
        "needs job 00000000 (test), which is CANCELLED; mend that one and submit both again",
        driver.view(2).fault().orElseThrow().message());
    accept(driver, 5, needing(2));
    assertEquals(JobView.State.FAILED, driver.view(5).state(), "it has failed already");
  }

  @Test
  void aLongChainFailsWithoutGoingDeep() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 1);
    for (int job = 2; job <= 10_000; job++) {
      accept(driver, job, needing(job - 1));
    }
    driver.placeAsked();
    driver.fails(NODE, attempt(1, 0, 1), false);
    assertEquals(JobView.State.FAILED, driver.view(10_000).state());
  }

  @Test
  void aJobThatWaitsCanBeCancelled() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 1);
    accept(driver, 2, needing(1));
    driver.handle(new SchedulerEvent.CancelAsked(jobId(2)));
    assertEquals(JobView.State.CANCELLED, driver.view(2).state());
    cut(driver);
    complete(driver, 1);
    assertEquals(List.of(), cut(driver));
  }

  @Test
  void aJobIsNotForgottenWhileAnotherNeedsIt() {
    CoreDriver driver = new CoreDriver(Specs.settings(8, Duration.ofSeconds(15), Specs.RULES, 1));
    driver.up(NODE, 1);
    driver.submit(1, Specs.of(1).spec(), 1);
    complete(driver, 1);
    accept(driver, 2, needing(1));
    for (int job = 3; job <= 5; job++) {
      driver.submit(job, Specs.of(1).spec(), 1);
      complete(driver, job);
    }
    driver.core.takeChanges();
    driver.tick();
    assertEquals(
        List.of(jobId(3), jobId(4)),
        driver.take(SchedulerEffect.ForgetJob.class).stream().map(f -> f.job()).toList());
    driver.handle(
        new SchedulerEvent.Split(
            jobId(2), new JobSplitter.Result.NotCut(fault("input.vanished", false))));
    driver.core.takeChanges();
    driver.tick();
    assertEquals(
        List.of(jobId(1), jobId(2)),
        driver.take(SchedulerEffect.ForgetJob.class).stream().map(f -> f.job()).toList());
  }
}
