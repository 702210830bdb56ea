package dev.weft.process;

import dev.weft.api.execution.Executor.Ending;
import dev.weft.api.execution.Executor.Execution;
import dev.weft.api.execution.Executor.Launch;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * One attempt as a process that leads a session of its own. States only go on: running, stopping,
 * ended; the first reason to stop is the one that counts.
 */
final class RunningProcess implements Execution {
  /** A program that died of a signal has 128 plus its number as exit code, as in a shell. */
  private static final int SIGNALLED = 128;

  private static final int LAST_SIGNAL = 64;

  private final Launch launch;
  private final String mark;
  private final Process process;
  private final Consumer<Ending> ended;
  private final Sweeper sweeper;
  private final long startNanos = System.nanoTime();
  private final AtomicReference<Optional<Ending>> cause = new AtomicReference<>(Optional.empty());
  private volatile long killAtNanos = Long.MAX_VALUE;

  RunningProcess(
      Launch launch, String mark, Process process, Consumer<Ending> ended, Sweeper sweeper) {
    this.launch = launch;
    this.mark = mark;
    this.process = process;
    this.ended = ended;
    this.sweeper = sweeper;
  }

  /** The mark that every process of the attempt carries. */
  String mark() {
    return mark;
  }

  /** The session and the process group that it leads. */
  long session() {
    return process.pid();
  }

  /** How long ago it was started. */
  Duration age() {
    return Duration.ofNanos(System.nanoTime() - startNanos);
  }

  @Override
  public void stop(Duration grace) {
    stop(new Ending.Stopped(), grace);
  }

  private void stop(Ending why, Duration grace) {
    if (cause.compareAndSet(Optional.empty(), Optional.of(why))) {
      killAtNanos = System.nanoTime() + grace.toNanos();
      Signals.sendToGroup(session(), Signals.TERM);
      sweeper.terminate(this);
    }
  }

  /** Whether it was asked to end and its grace is over. */
  boolean isToBeKilled() {
    return System.nanoTime() - killAtNanos >= 0 && cause.get().isPresent();
  }

  /** Whether it was asked to end. */
  boolean isStopping() {
    return cause.get().isPresent();
  }

  /** Stops it if it has run too long or written too much; called ten times a second. */
  void checkLimits() throws IOException {
    if (age().compareTo(launch.timeLimit()) > 0) {
      stop(new Ending.TimedOut(launch.timeLimit()), launch.grace());
    } else if (Files.size(launch.output()) > launch.outputLimit()) {
      stop(new Ending.TooMuchOutput(launch.outputLimit()), launch.grace());
    }
    cut(launch.errors().toFile().length());
  }

  private void cut(long length) throws IOException {
    if (length > launch.errorsLimit()) {
      try (RandomAccessFile file = new RandomAccessFile(launch.errors().toFile(), "rw")) {
        file.setLength(launch.errorsLimit());
      }
    }
  }

  /** Nothing of the attempt is left. */
  void finished() {
    try {
      cut(launch.errors().toFile().length());
      if (cause.get().isEmpty() && Files.size(launch.output()) > launch.outputLimit()) {
        ended.accept(new Ending.TooMuchOutput(launch.outputLimit()));
        return;
      }
    } catch (IOException e) {
      ended.accept(new Ending.NotStarted("its output cannot be read: " + e));
      return;
    }
    ended.accept(cause.get().orElseGet(() -> ending(process.exitValue())));
  }

  private static Ending ending(int code) {
    int signal = code - SIGNALLED;
    return signal > 0 && signal <= LAST_SIGNAL
        ? new Ending.Signalled(signal)
        : new Ending.Exited(code);
  }
}
