package dev.weft.process;

import dev.weft.api.execution.Executor.Ending;
import dev.weft.api.execution.Executor.Launch;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One started attempt. Belongs to the thread of the watch; times are of {@link System#nanoTime}.
 */
final class Attempt {
  private static final long KILL_BOUND = Duration.ofSeconds(10).toNanos();
  private static final long REMAINS_GRACE = Duration.ofMillis(500).toNanos();
  private static final Duration LONGEST = Duration.ofDays(3650);
  // The end by a signal is reported as this plus the number of the signal.
  private static final int SIGNAL_BASE = 128;
  private static final int MAXIMUM_SIGNAL = 64;
  // A path of the greatest length and some words.
  private static final long MAXIMUM_REFUSAL = 8192;

  private final Launch launch;
  private final Starter.Child process;
  private final Consumer<Ending> ended;
  private final Signals signals;
  private final long started;
  private final Set<Long> asked = new HashSet<>();
  private Optional<Ending> ending = Optional.empty();
  private Optional<Long> killAt = Optional.empty();
  private boolean exited;

  Attempt(
      Launch launch,
      Starter.Child process,
      Consumer<Ending> ended,
      Signals signals,
      long startedNanos) {
    this.launch = launch;
    this.process = process;
    this.ended = ended;
    this.signals = signals;
    this.started = startedNanos;
  }

  String mark() {
    return ProcessExecutor.mark(launch.attempt());
  }

  Launch launch() {
    return launch;
  }

  Starter.Child process() {
    return process;
  }

  Consumer<Ending> ended() {
    return ended;
  }

  Ending ending() {
    return ending.orElseThrow();
  }

  boolean hasExited() {
    return exited;
  }

  /** Whether Weft has begun to end it. */
  boolean isStopping() {
    return !exited && ending.isPresent();
  }

  long age(long now) {
    return now - started;
  }

  /** Everything that is to be ended was asked to, and the time to wait for it is over. */
  boolean isKillDue(long now) {
    return killAt.map(at -> now - at >= 0).orElse(false);
  }

  /** Nothing more can be done about what is left. */
  boolean isHopeless(long now) {
    return killAt.map(at -> now - at >= KILL_BOUND).orElse(false);
  }

  /** Looks at the sizes and the time; true if this began to end it. */
  boolean check(long now) {
    if (exited) {
      return false;
    }
    boundErrors();
    if (ending.isEmpty()) {
      if (size(launch.output()) > launch.outputLimit()) {
        return end(new Ending.TooMuchOutput(launch.outputLimit()), launch.grace(), now);
      }
      if (age(now) >= nanos(launch.timeLimit())) {
        return end(new Ending.TimedOut(launch.timeLimit()), launch.grace(), now);
      }
    } else {
      if (ending.get() instanceof Ending.TooMuchOutput) {
        // What ignores the request to end may go on writing: its blocks are given back.
        truncate(launch.output(), launch.outputLimit());
      }
      if (isKillDue(now)) {
        signalMain(Signals.KILL);
      }
    }
    return false;
  }

  /** Begins to end it, unless that has begun or it has ended by itself; true if this began it. */
  boolean end(Ending reason, Duration grace, long now) {
    if (exited || ending.isPresent()) {
      return false;
    }
    ending = Optional.of(reason);
    killAt = Optional.of(now + nanos(grace));
    signalMain(Signals.TERMINATE);
    asked.add(process.pid());
    if (grace.isZero() || grace.isNegative()) {
      signalMain(Signals.KILL);
    }
    return true;
  }

  /** Its first process has ended. Children that it left in its group may go on. */
  void exited(int code) {
    exited = true;
    boundErrors();
    if (ending.isEmpty()) {
      ending = Optional.of(endingOf(code));
    }
  }

  private Ending endingOf(int code) {
    if (size(launch.output()) > launch.outputLimit()) {
      return new Ending.TooMuchOutput(launch.outputLimit());
    }
    if (code > SIGNAL_BASE && code <= SIGNAL_BASE + MAXIMUM_SIGNAL) {
      return new Ending.Signalled(code - SIGNAL_BASE);
    }
    Optional<String> refusal =
        process.isThroughSetsid()
            ? LaunchCheck.refusal(launch.arguments().get(0), code, shortErrors(code))
            : Optional.empty();
    return refusal.<Ending>map(Ending.NotStarted::new).orElse(new Ending.Exited(code));
  }

  /** What was written to standard error, if that is short; only looked at after a failure. */
  private String shortErrors(int code) {
    if (code == 0 || size(launch.errors()) > MAXIMUM_REFUSAL) {
      return "";
    }
    try {
      return new String(Files.readAllBytes(launch.errors()), Charset.defaultCharset());
    } catch (IOException gone) {
      return "";
    }
  }

  /** Whether an orphan is one of its processes, or it cannot be seen now whether it is. */
  boolean mayHaveLeft(ProcessTable.Entry orphan) {
    return orphan.isUnclear()
        || orphan.attempt().map(mark()::equals).orElse(orphan.session() == process.pid());
  }

  /** Asks or forces those of its processes that still live to end. */
  void clear(Set<Long> living, long now) {
    if (killAt.isEmpty()) {
      killAt = Optional.of(now + REMAINS_GRACE);
    }
    int signal = isKillDue(now) ? Signals.KILL : Signals.TERMINATE;
    for (long pid : living) {
      if (signal == Signals.KILL || asked.add(pid)) {
        signals.send(pid, signal);
      }
    }
  }

  /** The last step: what it wrote beyond the limits is cut off. */
  void trim() {
    boundErrors();
    if (ending() instanceof Ending.TooMuchOutput) {
      truncate(launch.output(), launch.outputLimit());
    }
  }

  private void signalMain(int signal) {
    // In its first moments it may not lead its group yet, so it is signalled itself as well.
    if (!signals.send(-process.pid(), signal)) {
      signals.send(process.pid(), signal);
    }
  }

  private void boundErrors() {
    if (size(launch.errors()) > launch.errorsLimit()) {
      truncate(launch.errors(), launch.errorsLimit());
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException gone) {
      return 0;
    }
  }

  private static void truncate(Path file, long size) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(size);
    } catch (IOException gone) {
      // Without the file there is nothing that is too long.
      return;
    }
  }

  private static long nanos(Duration duration) {
    return duration.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : Math.max(0, duration.toNanos());
  }
}
