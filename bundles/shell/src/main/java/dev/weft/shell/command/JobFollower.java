package dev.weft.shell.command;

import dev.weft.api.JobId;
import dev.weft.core.job.JobService;
import dev.weft.core.job.JobView;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Watches a job until it ends, is not placed, or its user interrupts; shows how it goes. */
final class JobFollower {
  /** Longest time between two looks, so that a watch that broke is noticed. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** Time between two lines where there is no terminal. */
  private static final Duration LINE = Duration.ofSeconds(5);

  private final Invocation invocation;
  private final JobId job;
  private final String title;
  private final boolean quiet;
  private final JobProgress progress;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Optional<JobView> latest = Optional.empty();
  private Optional<Instant> lastLine = Optional.empty();
  private boolean lineOpen;

  /**
   * For one job.
   *
   * @param title what its lines start with
   * @param quiet whether nothing is shown
   * @param placementWait how long no node may take a task before it counts as not placed
   */
  JobFollower(
      Invocation invocation, JobId job, String title, boolean quiet, Duration placementWait) {
    this.invocation = invocation;
    this.job = job;
    this.title = title;
    this.quiet = quiet;
    this.progress = new JobProgress(placementWait);
  }

  /** How it went. */
  record Followed(JobProgress.Step step, JobView job) {}

  /** Follows; returns when the job has ended or is not placed. */
  Followed follow() throws CommandException, InterruptedException {
    JobService jobs = invocation.services().jobs();
    AutoCloseable watch = jobs.watch(job, this::update);
    try {
      while (true) {
        JobView view = await();
        JobProgress.Step step = progress.seen(view, invocation.now());
        if (step != JobProgress.Step.GOING) {
          return new Followed(step, view);
        }
        show(view);
      }
    } finally {
      closeLine();
      Closing.close(watch);
    }
  }

  private void update(JobView view) {
    lock.lock();
    try {
      latest = Optional.of(view);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  // The next update, or the job as it is when none has come for a while.
  private JobView await() throws CommandException, InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = LOOK.toNanos();
      while (latest.isEmpty() && left > 0) {
        left = changed.awaitNanos(left);
      }
      Optional<JobView> update = latest;
      latest = Optional.empty();
      if (update.isPresent()) {
        return update.get();
      }
    } finally {
      lock.unlock();
    }
    return invocation
        .services()
        .jobs()
        .job(job)
        .orElseThrow(
            () ->
                new CommandException(
                    "job "
                        + job
                        + " is not known any more: the manager or its scheduler has started anew"));
  }

  private void show(JobView view) {
    if (quiet) {
      return;
    }
    Instant now = invocation.now();
    Display display = invocation.display().get();
    String line = title + JobProgress.line(view, now);
    if (display.errorsTerminal()) {
      int width = display.columns() - 1;
      String cut = line.codePointCount(0, line.length()) > width ? cut(line, width) : line;
      invocation.errors().print("\r" + cut + "\u001b[K");
      invocation.errors().flush();
      lineOpen = true;
    } else if (lastLine.isEmpty() || !now.isBefore(lastLine.get().plus(LINE))) {
      lastLine = Optional.of(now);
      invocation.say(line);
    }
  }

  private static String cut(String line, int width) {
    return line.substring(0, line.offsetByCodePoints(0, width - 3)) + "...";
  }

  private void closeLine() {
    if (lineOpen) {
      invocation.errors().print("\r\u001b[K");
      invocation.errors().flush();
    }
  }
}
