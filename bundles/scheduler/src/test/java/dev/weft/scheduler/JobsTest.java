package dev.weft.scheduler;

import static dev.weft.scheduler.CoreDriver.NODE;
import static dev.weft.scheduler.CoreDriver.attempt;
import static dev.weft.scheduler.CoreDriver.fault;
import static dev.weft.scheduler.CoreDriver.jobId;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.AttemptId;
import dev.weft.api.ContentId;
import dev.weft.api.job.Command;
import dev.weft.api.job.JobSpec;
import dev.weft.api.job.Shard;
import dev.weft.core.job.JobView;
import dev.weft.core.job.TaskView;
import dev.weft.core.message.Message.StatusRules;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How jobs begin, are merged, end and are forgotten. */
class JobsTest {
  private static List<Integer> indexes(SchedulerEffect.Deliver deliver) {
    return deliver.results().stream().map(piece -> piece.task().index()).toList();
  }

  @Test
  void aJobGoesFromItsInputToItsResult() {
    CoreDriver driver = CoreDriver.withNode();
    driver.handle(new SchedulerEvent.Accepted(jobId(1), Specs.of(1).spec(), CoreDriver.SUBMITTER));
    assertEquals(1, driver.take(SchedulerEffect.Split.class).size());
    assertEquals(JobView.State.CONFIGURING, driver.view(1).state());
    List<Shard> shards = Collections.nCopies(3, new Shard.Index());
    driver.handle(
        new SchedulerEvent.Split(
            jobId(1), new JobSplitter.Result.Cut(shards, List.of(), "even 1")));
    assertEquals(JobView.State.PENDING, driver.view(1).state());
    driver.placeAsked();
    assertEquals(JobView.State.RUNNING, driver.view(1).state());
    for (int index : List.of(2, 0, 1)) {
      driver.succeeds(NODE, attempt(1, index, 1));
    }
    assertEquals(JobView.State.COMPLETING, driver.view(1).state());
    assertEquals(List.of(0, 1, 2), indexes(driver.take(SchedulerEffect.Deliver.class).get(0)));
    driver.handle(new SchedulerEvent.Delivered(jobId(1)));
    JobView view = driver.view(1);
    assertEquals(JobView.State.COMPLETED, view.state());
    assertEquals(new JobView.Counts(3, 0, 0, 3, 0), view.counts());
    assertEquals(new JobView.NodeShare(NODE, "host-1", 0, 3, 0), view.nodes().get(0));
    assertEquals("even 1", view.splitPolicy());
    assertEquals(1, driver.take(SchedulerEffect.ForgetStaging.class).size());
    assertEquals(0, driver.core.inFlight());
  }

  @Test
  void aMergeCommandIsOneMoreTask() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).merged().spec(), 2);
    driver.placeAsked();
    driver.succeeds(NODE, attempt(1, 0, 1));
    driver.succeeds(NODE, attempt(1, 1, 1));
    assertEquals(2, driver.take(SchedulerEffect.OfferMerge.class).get(0).results().size());
    assertEquals(List.of(), driver.take(SchedulerEffect.Deliver.class));
    ContentId content = new ContentId("%064x".formatted(9), 2);
    driver.handle(new SchedulerEvent.MergeOffered(jobId(1), content));
    driver.take(SchedulerEffect.Dispatch.class);
    assertEquals(List.of(attempt(1, 2, 1)), driver.placeAsked());
    SchedulerEffect.Dispatch dispatch = driver.take(SchedulerEffect.Dispatch.class).get(0);
    assertEquals(List.of("sort"), dispatch.command().arguments());
    assertEquals(2, dispatch.tasks());
    assertEquals(new Shard.Content(content, "results"), dispatch.assignments().get(0).shard());
    assertEquals(new JobView.Counts(2, 0, 0, 2, 0), driver.view(1).counts());
    driver.succeeds(NODE, attempt(1, 2, 1));
    assertEquals(List.of(2), indexes(driver.take(SchedulerEffect.Deliver.class).get(0)));
    driver.handle(new SchedulerEvent.Delivered(jobId(1)));
    assertEquals(JobView.State.COMPLETED, driver.view(1).state());
  }

  @Test
  void aMergeTaskThatFailsFailsTheJob() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).merged().spec(), 1);
    driver.placeAsked();
    driver.succeeds(NODE, attempt(1, 0, 1));
    driver.handle(
        new SchedulerEvent.MergeOffered(jobId(1), new ContentId("%064x".formatted(9), 2)));
    driver.placeAsked();
    driver.fails(NODE, attempt(1, 1, 1), true);
    JobView view = driver.view(1);
    assertEquals(
        "the merge task failed on host-1 (attempt 1): it went wrong",
        view.fault().orElseThrow().message());
    assertEquals(new JobView.Counts(1, 0, 0, 1, 0), view.counts());
  }

  @Test
  void anOutputThatCannotBeWrittenFailsTheJob() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 1);
    driver.placeAsked();
    driver.succeeds(NODE, attempt(1, 0, 1));
    driver.handle(new SchedulerEvent.NotDelivered(jobId(1), fault("output.not-written", false)));
    assertEquals(JobView.State.FAILED, driver.view(1).state());
    assertEquals("output.not-written", driver.view(1).fault().orElseThrow().code());
    assertEquals(List.of(), driver.take(SchedulerEffect.ForgetJob.class), "the result stays");
  }

  @Test
  void anInputThatCannotBeCutFailsTheJob() {
    CoreDriver driver = CoreDriver.withNode();
    driver.handle(new SchedulerEvent.Accepted(jobId(1), Specs.of(1).spec(), CoreDriver.SUBMITTER));
    driver.handle(
        new SchedulerEvent.Split(
            jobId(1), new JobSplitter.Result.NotCut(fault("input.vanished", false))));
    assertEquals("input.vanished", driver.view(1).fault().orElseThrow().code());
    assertEquals(1, driver.take(SchedulerEffect.ForgetStaging.class).size());
    assertEquals(List.of(), driver.asked());
  }

  @Test
  void aCancelledJobStopsWhatRunsAndStartsNothing() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 300);
    driver.placeAsked();
    driver.handle(new SchedulerEvent.CancelAsked(jobId(1)));
    List<SchedulerEffect.Cancel> cancels = driver.take(SchedulerEffect.Cancel.class);
    assertEquals(List.of(128, 128), cancels.stream().map(c -> c.attempts().size()).toList());
    JobView view = driver.view(1);
    assertEquals(JobView.State.CANCELLED, view.state());
    assertEquals(JobView.Desired.STOP, view.desired());
    assertEquals(0, view.nodes().get(0).failed());
    assertEquals(TaskView.State.CANCELLED, driver.task(1, 299).state());
    driver.pass(1_000);
    assertEquals(List.of(), driver.asked());
    driver.handle(new SchedulerEvent.Delivered(jobId(1)));
    assertEquals(JobView.State.CANCELLED, driver.view(1).state());
  }

  @Test
  void aJobCancelledWhileItIsCutIsForgotten() {
    CoreDriver driver = CoreDriver.withNode();
    driver.handle(new SchedulerEvent.Accepted(jobId(1), Specs.of(1).spec(), CoreDriver.SUBMITTER));
    driver.handle(new SchedulerEvent.CancelAsked(jobId(1)));
    driver.take(SchedulerEffect.ForgetStaging.class);
    driver.handle(
        new SchedulerEvent.Split(
            jobId(1), new JobSplitter.Result.Cut(List.of(new Shard.Index()), List.of(), "even")));
    assertEquals(1, driver.take(SchedulerEffect.ForgetStaging.class).size(), "what was offered");
    assertEquals(List.of(), driver.asked());
  }

  @Test
  void aFailedTaskStopsTheOthers() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 3);
    driver.placeAsked();
    driver.fails(NODE, attempt(1, 1, 1), true);
    assertEquals(List.of(attempt(1, 0, 1), attempt(1, 2, 1)), driver.cancelled());
    driver.succeeds(NODE, attempt(1, 0, 1));
    assertEquals(0, driver.view(1).counts().done());
    assertEquals(List.of(attempt(1, 1, 1), attempt(1, 0, 1)), driver.over());
    assertEquals(List.of(attempt(1, 0, 1), attempt(1, 2, 1)), driver.withdrawn());
  }

  @Test
  void theOldestEndedJobsAreForgottenOnceTheyWereShown() {
    CoreDriver driver = new CoreDriver(Specs.settings(4, Duration.ofSeconds(15), Specs.RULES, 2));
    driver.submit(1, Specs.of(1).spec(), 1);
    for (int job = 2; job <= 5; job++) {
      driver.submit(job, Specs.of(1).spec(), 1);
      driver.handle(new SchedulerEvent.CancelAsked(jobId(job)));
    }
    driver.tick();
    assertEquals(List.of(), driver.take(SchedulerEffect.ForgetJob.class), "nobody has seen them");
    driver.core.jobs().forEach(job -> job.changed = false);
    driver.tick();
    assertEquals(
        List.of(jobId(2), jobId(3)),
        driver.take(SchedulerEffect.ForgetJob.class).stream().map(f -> f.job()).toList());
    assertTrue(driver.core.job(jobId(1)).isPresent(), "it has not ended");
  }

  @Test
  void moreTasksThanFitAreRefusedAndSayWhatToDo() {
    CoreDriver driver = new CoreDriver(Specs.settings(1));
    driver.submit(1, Specs.of(1).spec(), JobSpec.MAXIMUM_TASKS);
    driver.submit(2, Specs.of(1).spec(), JobSpec.MAXIMUM_TASKS);
    driver.submit(3, Specs.of(1).spec(), 1);
    assertEquals(
        "1 more tasks are too many: jobs that have not ended have 2000000, at most 2000000 fit;"
            + " submit it again when some have ended",
        driver.view(3).fault().orElseThrow().message());
  }

  @Test
  void aMessageHasAtMostAHundredAndTwentyEightAssignmentsAndFitsTheBus() {
    CoreDriver driver = CoreDriver.withNode();
    driver.submit(1, Specs.of(1).spec(), 140);
    driver.placeAsked();
    assertEquals(List.of(128, 12), sizes(driver));
    driver.handle(new SchedulerEvent.CancelAsked(jobId(1)));
    Command large =
        new Command(
            List.of("x".repeat(16_000), "é".repeat(150)), new TreeMap<>(), Optional.empty());
    JobSpec spec = Specs.of(1).spec();
    driver.submit(
        2,
        new JobSpec(
            "large",
            large,
            List.of(),
            spec.input(),
            spec.demand(),
            spec.timeLimit(),
            spec.retry(),
            spec.merge(),
            Optional.empty(),
            50,
            OptionalInt.empty(),
            false,
            List.of()),
        113);
    driver.placeAsked();
    assertEquals(List.of(112, 1), sizes(driver));
    List<Shard> named =
        Collections.nCopies(
            200, new Shard.Content(new ContentId("%064x".formatted(1), 1), "é".repeat(1_000)));
    driver.handle(new SchedulerEvent.Accepted(jobId(3), spec, CoreDriver.SUBMITTER));
    driver.handle(
        new SchedulerEvent.Split(
            jobId(3), new JobSplitter.Result.Cut(named.subList(0, 40), List.of(), "files")));
    driver.placeAsked();
    assertEquals(List.of(18, 18, 4), sizes(driver));
  }

  private static List<Integer> sizes(CoreDriver driver) {
    return driver.take(SchedulerEffect.Dispatch.class).stream()
        .map(dispatch -> dispatch.assignments().size())
        .toList();
  }

  @Test
  void onlySoManyAttemptsKeepTheEndOfTheirErrors() {
    CoreDriver driver = CoreDriver.withNode();
    int tasks = Job.MAXIMUM_ERROR_TAILS + 44;
    driver.submit(1, Specs.of(1).retries(1).spec(), tasks);
    List<AttemptId> first = IntStream.range(0, tasks).mapToObj(i -> attempt(1, i, 1)).toList();
    driver.placeAsked();
    first.subList(0, 256).forEach(attempt -> driver.fails(NODE, attempt, true));
    driver.placeAsked();
    first.subList(256, tasks).forEach(attempt -> driver.fails(NODE, attempt, true));
    long kept =
        IntStream.range(0, tasks)
            .filter(i -> !driver.task(1, i).attempt(1).orElseThrow().errorTail().isEmpty())
            .count();
    assertEquals(Job.MAXIMUM_ERROR_TAILS, kept);
    assertEquals("tail", driver.task(1, tasks - 1).attempt(1).orElseThrow().errorTail());
  }

  @Test
  void aTimeoutThatIsTooShortIsRefusedWithKeysValuesAndRule() {
    StatusRules rules = new StatusRules(Duration.ofSeconds(2), 4, Duration.ofSeconds(3));
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> Specs.settings(1, Duration.ofSeconds(11), rules, 1));
    assertEquals(
        "status.timeout.ms = 11000: must be more than status.period.ms × status.periods +"
            + " stop.grace.ms = 2000 × 4 + 3000 = 11000",
        refused.getMessage());
    assertEquals(
        11_001, Specs.settings(1, Duration.ofMillis(11_001), rules, 1).statusTimeout().toMillis());
  }

  @Test
  void aJobThatIsForgottenAsItEndsDisturbsNothing() {
    CoreDriver driver = new CoreDriver(Specs.settings(8, Duration.ofSeconds(15), Specs.RULES, 0));
    driver.up(NODE, 1);
    driver.submit(1, Specs.of(1).spec(), 3);
    List<AttemptId> forgotten = driver.placeAsked();
    driver.submit(2, Specs.of(1).spec(), 1);
    AttemptId survivor = driver.placeAsked().get(0);
    driver.fails(NODE, forgotten.get(0), false);
    driver.submit(3, Specs.of(1).spec(), 1);
    driver.handle(new SchedulerEvent.CancelAsked(jobId(3))); // the last that ended is kept
    driver.core.jobs().forEach(job -> job.changed = false);
    driver.tick();
    assertTrue(driver.core.job(jobId(1)).isEmpty());
    AttemptId first = forgotten.get(1);
    AttemptId second = forgotten.get(2);
    List<AttemptId> askedBeforeTheEnd = driver.asked();
    assertEquals(List.of(first, second), driver.withdrawn());
    driver.over();
    driver.notCurrent();
    driver.runs(NODE, first);
    assertEquals(List.of(first), driver.notCurrent());
    driver.succeeds(NODE, first);
    driver.refuses(NODE, second, true);
    assertEquals(List.of(first, second), driver.over());
    assertEquals(List.of(attempt(3, 0, 1)), askedBeforeTheEnd);
    driver.placeAll(NODE, 1, askedBeforeTheEnd);
    assertEquals(askedBeforeTheEnd, driver.withdrawn());
    driver.handle(new SchedulerEvent.NotDelivered(jobId(1), fault("output.not-written", false)));
    driver.handle(
        new SchedulerEvent.MergeOffered(jobId(1), new ContentId("%064x".formatted(9), 2)));
    driver.handle(new SchedulerEvent.CancelAsked(jobId(1)));
    driver.down(NODE, 1);
    assertEquals(List.of(survivor), driver.withdrawn());
    assertEquals(List.of(attempt(2, 0, 2)), driver.asked());
    assertEquals(1, driver.core.inFlight());
  }
}
