package dev.weft.agent.run;

import dev.weft.api.ContentId;
import dev.weft.api.Fault;
import dev.weft.core.message.Message;
import dev.weft.core.message.Outcome;
import dev.weft.core.staging.StagingException;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * Brings results that are too long for a message to the manager, again and again for a while when
 * something outside is in the way.
 */
final class ResultDelivery {
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(8);

  private final Staging staging;
  private final WorkPool transfers;
  private final ScheduledExecutorService timer;
  private final RunListener listener;
  private final BiConsumer<Run, Outcome> ended;

  ResultDelivery(
      Staging staging,
      WorkPool transfers,
      ScheduledExecutorService timer,
      RunListener listener,
      BiConsumer<Run, Outcome> ended) {
    this.staging = Objects.requireNonNull(staging, "staging");
    this.transfers = Objects.requireNonNull(transfers, "transfers");
    this.timer = Objects.requireNonNull(timer, "timer");
    this.listener = Objects.requireNonNull(listener, "listener");
    this.ended = Objects.requireNonNull(ended, "ended");
  }

  void begin(Run run) {
    listener.phaseChanged(run.request().attempt(), Message.Phase.DELIVERING);
    transfers.execute(new Delivery(run, System.nanoTime(), FIRST_PAUSE));
  }

  private final class Delivery implements WorkPool.Work {
    private final Run run;
    private final long begin;
    private final Duration pause;

    Delivery(Run run, long begin, Duration pause) {
      this.run = run;
      this.begin = begin;
      this.pause = pause;
    }

    @Override
    public void run() {
      run.endWait();
      if (!run.beginTransfer()) {
        ended.accept(run, new Outcome.Stopped("stopped"));
        return;
      }
      Outcome outcome;
      try {
        ContentId content = staging.deliver(run.request(), run.folder().output());
        outcome = new Outcome.Succeeded(new Outcome.Result.Stored(content));
      } catch (StagingException e) {
        boolean stopped = run.isStopped();
        if (!stopped && e.fault().retry() && isTimeLeft()) {
          again();
          return;
        }
        outcome =
            stopped
                ? new Outcome.Stopped("stopped")
                : new Outcome.Failed(e.fault(), OptionalInt.of(0), "");
      } finally {
        run.endTransfer();
      }
      ended.accept(run, outcome);
    }

    private boolean isTimeLeft() {
      return System.nanoTime() - begin + pause.toNanos() < LONGEST.toNanos();
    }

    private void again() {
      Duration longer = pause.multipliedBy(2);
      Delivery next =
          new Delivery(run, begin, longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE);
      AtomicBoolean begun = new AtomicBoolean();
      Runnable once =
          () -> {
            if (begun.compareAndSet(false, true)) {
              transfers.execute(next);
            }
          };
      run.beginWait(once);
      var unused = timer.schedule(once, pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void failed(Throwable reason) {
      ended.accept(
          run,
          new Outcome.Failed(
              new Fault(
                  "delivery.failed",
                  Fault.Category.INTERNAL,
                  "the result could not be delivered: " + reason,
                  true),
              OptionalInt.of(0),
              ""));
    }
  }
}
