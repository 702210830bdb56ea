package dev.weft.agent.run;

import dev.weft.api.execution.Executor;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** The state of one run, shared by the threads that work on it. */
final class Run {
  private final RunRequest request;
  private final AttemptFolder folder;

  private boolean stopped;
  private Duration grace = Duration.ZERO;
  private Optional<Executor> executor = Optional.empty();
  private Optional<Executor.Execution> execution = Optional.empty();
  private Optional<Thread> transferring = Optional.empty();
  private Optional<Runnable> waiting = Optional.empty();
  private boolean endSeen;
  private boolean over;

  Run(RunRequest request, AttemptFolder folder) {
    this.request = Objects.requireNonNull(request, "request");
    this.folder = Objects.requireNonNull(folder, "folder");
  }

  RunRequest request() {
    return request;
  }

  AttemptFolder folder() {
    return folder;
  }

  synchronized boolean isStopped() {
    return stopped;
  }

  /** What is left to do for a stop: the execution to stop, if there is one. */
  synchronized Optional<Executor.Execution> stop(Duration within) {
    if (stopped) {
      return Optional.empty();
    }
    stopped = true;
    grace = within;
    transferring.ifPresent(Thread::interrupt);
    waiting.ifPresent(Runnable::run);
    waiting = Optional.empty();
    return execution;
  }

  /** From now on a stop interrupts this thread. Returns whether there was none so far. */
  synchronized boolean beginTransfer() {
    if (!stopped) {
      transferring = Optional.of(Thread.currentThread());
    }
    return !stopped;
  }

  /** A stop does not interrupt this thread any more, and did not leave it interrupted. */
  synchronized void endTransfer() {
    transferring = Optional.empty();
    boolean unusedInterrupted = Thread.interrupted();
  }

  /** A stop runs this at once; must not block and may run twice. */
  synchronized void beginWait(Runnable next) {
    waiting = Optional.of(next);
    if (stopped) {
      next.run();
      waiting = Optional.empty();
    }
  }

  synchronized void endWait() {
    waiting = Optional.empty();
  }

  synchronized void startedBy(Executor which) {
    executor = Optional.of(which);
  }

  /** Whether an executor other than this one has started it. */
  synchronized boolean belongsToAnother(Executor current) {
    return executor.isPresent() && executor.get() != current;
  }

  /** The execution is there; present if it must be stopped again, and within what grace. */
  synchronized Optional<Duration> adopt(Executor.Execution started) {
    execution = Optional.of(started);
    return stopped ? Optional.of(grace) : Optional.empty();
  }

  /** Whether this call is the first to see the end of the command. */
  synchronized boolean claimEnd() {
    boolean first = !endSeen;
    endSeen = true;
    return first;
  }

  /** Whether this call is the first to give it an outcome. */
  synchronized boolean claimOutcome() {
    boolean first = !over;
    over = true;
    return first;
  }
}
