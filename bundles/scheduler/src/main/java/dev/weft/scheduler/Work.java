package dev.weft.scheduler;

import dev.weft.api.Bytes;
import dev.weft.api.ContentId;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.TaskId;
import dev.weft.core.message.Message;
import dev.weft.core.message.Message.AttemptStatus;
import dev.weft.core.message.Outcome;
import dev.weft.core.staging.StagingArea;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the scheduler has done on disk, off its loop: splitting, keeping results, merging. */
final class Work implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Work.class);
  private static final int KEEPERS_QUEUE = 4_096;
  private static final int READERS_QUEUE = 256;

  private final JobSplitter splitter;
  private final Results results;
  private final StagingArea staging;
  private final Predicate<JobId> wanted;
  private final Consumer<SchedulerEvent> post;
  private final ExecutorService splitting = Executors.newFixedThreadPool(2, named("weft-split"));
  private final ExecutorService merging = Executors.newSingleThreadExecutor(named("weft-merge"));
  private final ThreadPoolExecutor keeping =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(KEEPERS_QUEUE),
          named("weft-results"));
  private final ThreadPoolExecutor reading =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(READERS_QUEUE),
          named("weft-read-results"));

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

  /** Deletes results of a former life of the manager, but for the newest. */
  void trimResults(int most) {
    merging.execute(
        () -> {
          try {
            results.trim(most);
          } catch (IOException e) {
            LOG.warn("old results could not be deleted: {}", e.toString());
          }
        });
  }

  Path result(JobId job) {
    return results.of(job);
  }

  /** Does what the core wants done; the answer comes back as an event. */
  void accept(SchedulerEffect effect) {
    if (effect instanceof SchedulerEffect.Split split) {
      JobId job = split.job();
      answer(
          splitting,
          () -> new SchedulerEvent.Split(job, splitter.split(job, split.spec())),
          e -> new SchedulerEvent.Split(job, new JobSplitter.Result.NotCut(broken(e))));
    } else if (effect instanceof SchedulerEffect.OfferMerge offer) {
      answer(merging, () -> offer(offer), e -> notDelivered(offer.job(), e));
    } else if (effect instanceof SchedulerEffect.Deliver deliver) {
      answer(merging, () -> deliver(deliver), e -> notDelivered(deliver.job(), e));
    } else if (effect instanceof SchedulerEffect.ForgetStaging forget) {
      merging.execute(() -> staging.forget(forget.job()));
    } else if (effect instanceof SchedulerEffect.ForgetJob forget) {
      merging.execute(() -> forget(forget.job()));
    }
  }

  /** A job must not wait for ever because its work broke down: there is always an answer. */
  private void answer(
      ExecutorService where,
      Supplier<SchedulerEvent> work,
      Function<Throwable, SchedulerEvent> otherwise) {
    var posted =
        CompletableFuture.supplyAsync(work, where).exceptionally(otherwise).thenAccept(post);
    assert !posted.isCancelled();
  }

  private static SchedulerEvent notDelivered(JobId job, Throwable e) {
    return new SchedulerEvent.NotDelivered(job, broken(e));
  }

  private static Fault broken(Throwable e) {
    Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
    LOG.error("work for a job broke down", cause);
    return new Fault(
        "scheduler.broken",
        Fault.Category.INTERNAL,
        "Weft itself failed: " + cause + "; see the log of the manager",
        false);
  }

  /** Its file is not touched any more, nor is the event heard. */
  private static Fault cancelled() {
    return new Fault(
        "job.cancelled", Fault.Category.USER, "the job was cancelled before its delivery", false);
  }

  private SchedulerEvent offer(SchedulerEffect.OfferMerge offer) {
    try {
      return new SchedulerEvent.MergeOffered(
          offer.job(), results.offer(offer.job(), offer.results()));
    } catch (IOException e) {
      return new SchedulerEvent.NotDelivered(offer.job(), lostResults(e));
    }
  }

  private SchedulerEvent deliver(SchedulerEffect.Deliver deliver) {
    if (!wanted.test(deliver.job())) {
      return new SchedulerEvent.NotDelivered(deliver.job(), cancelled());
    }
    try {
      return results
          .deliver(deliver.job(), deliver.results(), deliver.spec().output())
          .<SchedulerEvent>map(fault -> new SchedulerEvent.NotDelivered(deliver.job(), fault))
          .orElseGet(() -> new SchedulerEvent.Delivered(deliver.job()));
    } catch (IOException e) {
      return new SchedulerEvent.NotDelivered(deliver.job(), lostResults(e));
    }
  }

  /** A piece of a task's result; empty if it is not there any more or too many are being read. */
  CompletionStage<Optional<Message>> read(TaskId task, ContentId result, long offset) {
    try {
      return CompletableFuture.supplyAsync(() -> chunk(task, result, offset), reading);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
  }

  private Optional<Message> chunk(TaskId task, ContentId result, long offset) {
    try {
      Bytes bytes = results.read(task, result, offset);
      return Optional.of(
          new Message.LogChunk(offset, bytes, offset + bytes.length() >= result.length()));
    } catch (IOException e) {
      LOG.debug("the result of {} cannot be read: {}", task, e.toString());
      return Optional.empty();
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
    splitting.shutdownNow();
    merging.shutdownNow();
    keeping.shutdownNow();
    reading.shutdownNow();
  }
}
