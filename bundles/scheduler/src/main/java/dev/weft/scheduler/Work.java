package dev.weft.scheduler;

import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.TaskId;
import dev.weft.core.message.Message.AttemptStatus;
import dev.weft.core.message.Outcome;
import dev.weft.core.staging.StagingArea;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the scheduler has done on disk, off its loop: splitting, keeping results, merging. */
final class Work implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Work.class);
  private static final int KEEPERS_QUEUE = 4_096;
  private static final long LATER_MILLIS = 20;

  private final JobSplitter splitter;
  private final Results results;
  private final StagingArea staging;
  private final Predicate<JobId> wanted;
  private final Consumer<SchedulerEvent> post;
  private final ExecutorService splitting = Executors.newFixedThreadPool(2, named("weft-split"));
  private final ExecutorService merging = Executors.newSingleThreadExecutor(named("weft-merge"));
  private final ScheduledExecutorService later =
      Executors.newSingleThreadScheduledExecutor(named("weft-later"));
  private final ThreadPoolExecutor keeping =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(KEEPERS_QUEUE),
          named("weft-results"));

  Work(
      JobSplitter splitter,
      Results results,
      StagingArea staging,
      Predicate<JobId> wanted,
      Consumer<SchedulerEvent> post) {
    this.splitter = splitter;
    this.results = results;
    this.staging = staging;
    this.wanted = wanted;
    this.post = post;
  }

  private static ThreadFactory named(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  int stagingPort() {
    return staging.port();
  }

  Path result(JobId job) {
    return results.of(job);
  }

  /** Runs something in a moment. */
  void later(Runnable action) {
    Future<?> scheduled = later.schedule(action, LATER_MILLIS, TimeUnit.MILLISECONDS);
    assert !scheduled.isCancelled();
  }

  /** Does what the core wants done; the answer comes back as an event. */
  void accept(SchedulerEffect effect) {
    if (effect instanceof SchedulerEffect.Split split) {
      splitting.execute(() -> split(split));
    } else if (effect instanceof SchedulerEffect.OfferMerge offer) {
      merging.execute(() -> offer(offer));
    } else if (effect instanceof SchedulerEffect.Deliver deliver) {
      merging.execute(() -> deliver(deliver));
    } else if (effect instanceof SchedulerEffect.ForgetStaging forget) {
      merging.execute(() -> staging.forget(forget.job()));
    } else if (effect instanceof SchedulerEffect.ForgetJob forget) {
      merging.execute(() -> forget(forget.job()));
    }
  }

  private void split(SchedulerEffect.Split split) {
    post.accept(new SchedulerEvent.Split(split.job(), splitter.split(split.job(), split.spec())));
  }

  private void offer(SchedulerEffect.OfferMerge offer) {
    try {
      post.accept(
          new SchedulerEvent.MergeOffered(
              offer.job(), results.offer(offer.job(), offer.results())));
    } catch (IOException e) {
      post.accept(new SchedulerEvent.NotDelivered(offer.job(), lostResults(e)));
    }
  }

  private void deliver(SchedulerEffect.Deliver deliver) {
    try {
      Optional<Fault> fault =
          results.deliver(deliver.job(), deliver.results(), deliver.spec().output());
      post.accept(
          fault.isEmpty()
              ? new SchedulerEvent.Delivered(deliver.job())
              : new SchedulerEvent.NotDelivered(deliver.job(), fault.get()));
    } catch (IOException e) {
      post.accept(new SchedulerEvent.NotDelivered(deliver.job(), lostResults(e)));
    }
  }

  private static Fault lostResults(IOException e) {
    return new Fault(
        "results.failed",
        Fault.Category.EXTERNAL,
        "the results of the tasks could not be put together: " + e,
        false);
  }

  private void forget(JobId job) {
    staging.forget(job);
    try {
      results.forget(job);
    } catch (IOException e) {
      LOG.warn("the result of job {} could not be deleted: {}", job, e.toString());
    }
  }

  /**
   * Stores the results that came inside messages before anybody counts them (I3).
   *
   * @param stored gets the statuses with every result on disk
   * @param failed gets the reason if that was not possible; the node will say it again
   */
  void keepResults(
      List<AttemptStatus> statuses, Consumer<List<AttemptStatus>> stored, Consumer<Fault> failed) {
    if (statuses.stream().noneMatch(status -> inline(status).isPresent())) {
      stored.accept(statuses);
      return;
    }
    try {
      keeping.execute(() -> keep(statuses, stored, failed));
    } catch (RejectedExecutionException e) {
      failed.accept(
          new Fault(
              "results.full",
              Fault.Category.RESOURCES,
              "too many results wait to be stored; say it again later",
              true));
    }
  }

  private static Optional<Outcome.Result.Inline> inline(AttemptStatus status) {
    return status
        .outcome()
        .filter(Outcome.Succeeded.class::isInstance)
        .map(outcome -> ((Outcome.Succeeded) outcome).result())
        .filter(Outcome.Result.Inline.class::isInstance)
        .map(Outcome.Result.Inline.class::cast);
  }

  private void keep(
      List<AttemptStatus> statuses, Consumer<List<AttemptStatus>> stored, Consumer<Fault> failed) {
    List<AttemptStatus> kept = new ArrayList<>();
    for (AttemptStatus status : statuses) {
      Optional<Outcome.Result.Inline> result = inline(status);
      try {
        kept.add(result.isPresent() ? keep(status, result.get()) : status);
      } catch (IOException e) {
        failed.accept(
            new Fault(
                "results.failed",
                Fault.Category.EXTERNAL,
                "the manager could not store a result: " + e,
                true));
        LOG.warn("the result of {} could not be stored: {}", status.attempt(), e.toString());
        return;
      }
    }
    stored.accept(kept);
  }

  private AttemptStatus keep(AttemptStatus status, Outcome.Result.Inline result)
      throws IOException {
    TaskId task = status.attempt().task();
    Outcome outcome =
        wanted.test(task.job())
            ? new Outcome.Succeeded(
                new Outcome.Result.Stored(staging.keep(task, result.bytes().toArray())))
            : new Outcome.Stopped("its job has ended"); // there is no place for it any more
    return new AttemptStatus(
        status.attempt(), status.phase(), status.elapsed(), Optional.of(outcome));
  }

  @Override
  public void close() {
    later.shutdownNow();
    splitting.shutdownNow();
    merging.shutdownNow();
    keeping.shutdownNow();
  }
}
