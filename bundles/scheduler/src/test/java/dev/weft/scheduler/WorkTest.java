package dev.weft.scheduler;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.AttemptId;
import dev.weft.api.Bytes;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.core.message.Message.AttemptStatus;
import dev.weft.core.message.Message.Phase;
import dev.weft.core.message.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is done on disk for results that come inside messages (I3). */
class WorkTest {
  private static final JobId JOB = CoreDriver.jobId(1);
  private static final AttemptId ATTEMPT = CoreDriver.attempt(1, 0, 1);
  private static final AttemptId OF_AN_ENDED_JOB = CoreDriver.attempt(2, 0, 1);

  /** Far more than the queue of results takes. */
  private static final int MANY = 100_000;

  @TempDir Path folder;
  private final List<AttemptStatus> stored = new CopyOnWriteArrayList<>();
  private final List<Fault> failed = new CopyOnWriteArrayList<>();
  private FolderStaging staging;
  private Work work;

  @BeforeEach
  void open() throws IOException {
    staging = new FolderStaging(Files.createDirectory(folder.resolve("staging")));
    work =
        new Work(
            (job, spec) -> new JobSplitter.Result.Cut(List.of(), List.of(), "none"),
            new Results(folder.resolve("results"), staging),
            staging,
            JOB::equals,
            event -> {});
  }

  @AfterEach
  void close() {
    work.close();
  }

  private static AttemptStatus inline(AttemptId attempt, String result) {
    Outcome outcome = new Outcome.Succeeded(new Outcome.Result.Inline(Bytes.of(result)));
    return new AttemptStatus(attempt, Phase.ENDED, Duration.ZERO, Optional.of(outcome));
  }

  private void keep(AttemptStatus... statuses) {
    work.keepResults(List.of(statuses), stored::addAll, failed::add);
  }

  private long filesKept() throws IOException {
    try (var files = Files.list(folder.resolve("staging"))) {
      return files.count();
    }
  }

  @Test
  void theResultOfAnEndedJobIsAnsweredAndNotStored() throws IOException {
    keep(inline(OF_AN_ENDED_JOB, "late"), inline(ATTEMPT, "one"));
    await().until(() -> stored.size() == 2);
    assertEquals(Optional.of(new Outcome.Stopped("its job has ended")), stored.get(0).outcome());
    assertTrue(stored.get(1).outcome().orElseThrow() instanceof Outcome.Succeeded);
    assertEquals(1, filesKept());
  }

  @Test
  void aResultThatCannotBeStoredIsToBeSaidAgain() throws IOException {
    staging.full = true;
    keep(inline(ATTEMPT, "one"));
    await().until(() -> !failed.isEmpty());
    assertEquals("results.failed", failed.get(0).code());
    assertTrue(failed.get(0).retry(), failed::toString);
    assertEquals(List.of(), stored);
    staging.full = false;
    keep(inline(ATTEMPT, "one"));
    await().until(() -> !stored.isEmpty());
    assertEquals(1, failed.size());
    assertEquals(1, filesKept());
  }

  @Test
  void tooManyResultsAreToBeSaidAgain() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger accepted = new AtomicInteger();
    work.keepResults(
        List.of(inline(ATTEMPT, "first")),
        statuses -> {
          begun.countDown();
          pause(goOn);
        },
        failed::add);
    assertTrue(begun.await(10, TimeUnit.SECONDS), "the first result is not stored");
    int said = 0;
    for (; failed.isEmpty() && said < MANY; said++) {
      work.keepResults(
          List.of(inline(OF_AN_ENDED_JOB, "more")),
          statuses -> accepted.incrementAndGet(),
          failed::add);
    }
    goOn.countDown();
    assertEquals(1, failed.size(), "nothing was refused of " + MANY);
    assertEquals("results.full", failed.get(0).code());
    assertTrue(failed.get(0).retry(), failed::toString);
    int waiting = said - 1;
    await().until(() -> accepted.get() == waiting);
    keep(inline(ATTEMPT, "again")); // there is room now
    await().until(() -> stored.size() == 1);
    assertEquals(1, failed.size());
  }

  private static void pause(CountDownLatch until) {
    try {
      assertTrue(until.await(30, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
