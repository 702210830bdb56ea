package dev.weft.shell.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weft.api.JobId;
import dev.weft.core.job.JobView;
import dev.weft.shell.fake.Samples;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Following a job in virtual time. */
class JobProgressTest {
  private static final JobId ID = Samples.id("1a2b3c4d");
  private static final Instant NOW = Samples.NOW;

  private final JobProgress progress = new JobProgress(Duration.ofSeconds(10));

  @Test
  void countsAsNotPlacedWhenEveryNodeRefusesForLongEnough() {
    assertEquals(JobProgress.Step.GOING, progress.seen(Samples.pending(ID), NOW));
    assertEquals(JobProgress.Step.GOING, progress.seen(Samples.pending(ID), NOW.plusMillis(9_999)));
    assertEquals(
        JobProgress.Step.NOT_PLACED, progress.seen(Samples.pending(ID), NOW.plusSeconds(10)));
  }

  @Test
  void aTaskThatRunsStartsTheWaitAnew() {
    progress.seen(Samples.pending(ID), NOW);
    assertEquals(JobProgress.Step.GOING, progress.seen(Samples.running(ID), NOW.plusSeconds(5)));
    assertEquals(JobProgress.Step.GOING, progress.seen(Samples.pending(ID), NOW.plusSeconds(12)));
    assertEquals(
        JobProgress.Step.NOT_PLACED, progress.seen(Samples.pending(ID), NOW.plusSeconds(22)));
  }

  @Test
  void aJobThatNeedsAnotherIsNotRefused() {
    JobView waiting = Samples.needing(ID, Samples.id("2b"));
    assertEquals(JobProgress.Step.GOING, progress.seen(waiting, NOW));
    assertEquals(JobProgress.Step.GOING, progress.seen(waiting, NOW.plusSeconds(60)));
    assertEquals(
        "1a2b3c4d pending: needs job 2b000000, not completed yet", JobProgress.line(waiting, NOW));
  }

  @Test
  void endsWithTheJob() {
    assertEquals(JobProgress.Step.ENDED, progress.seen(Samples.failed(ID), NOW));
    assertEquals(
        JobProgress.Step.ENDED, progress.seen(Samples.completed(ID, Optional.empty()), NOW));
  }

  @Test
  void theLineSaysHowFarItIs() {
    assertEquals(
        "1a2b3c4d running: 5/10 done, 2 running, 3 waiting, 0 failed, 0.5/s, 10 s left"
            + " | alpha 3+1, beta 2+1",
        JobProgress.line(Samples.running(ID), NOW));
    assertEquals(
        "1a2b3c4d pending: 0/4 done, 0 running, 4 waiting, 0 failed",
        JobProgress.line(Samples.pending(ID), NOW));
  }
}
