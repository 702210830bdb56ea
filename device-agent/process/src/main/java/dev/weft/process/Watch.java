package dev.weft.process;

import dev.weft.api.execution.Executor.Ending;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the running attempts: their sizes, times and ends. Belongs to one thread, on which {@link
 * #tick} is called every 100 ms.
 *
 * <p>Children that left an attempt's group are found by their mark in a sweep of {@code /proc}. One
 * sweep serves all attempts that ended before it, and there is one every 200 ms at most.
 */
final class Watch {
  /** Time between two looks. */
  static final Duration PERIOD = Duration.ofMillis(100);

  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);
  private static final long SWEEP_PERIOD = Duration.ofMillis(200).toNanos();
  private static final long SHORT = Duration.ofMillis(200).toNanos();

  private final Signals signals;
  private final Path processes;
  private final long since;
  private final Executor callbacks;
  private final Set<Attempt> attempts = new LinkedHashSet<>();
  private final Map<String, Integer> marks = new TreeMap<>();
  // Marks of short attempts that were said to have ended before a sweep.
  private Set<String> early = new HashSet<>();
  private boolean sweepWanted;
  private Optional<Long> lastSweep = Optional.empty();

  /**
   * A watch without attempts.
   *
   * @param processes {@code /proc}
   * @param since when the first process that can carry a mark may have started at the earliest
   * @param callbacks what the ends are told on
   */
  Watch(Signals signals, Path processes, long since, Executor callbacks) {
    this.signals = signals;
    this.processes = processes;
    this.since = since;
    this.callbacks = callbacks;
  }

  boolean isIdle() {
    return attempts.isEmpty() && early.isEmpty();
  }

  void add(Attempt attempt) {
    attempts.add(attempt);
    marks.merge(attempt.mark(), 1, Integer::sum);
  }

  void stop(Attempt attempt, Duration grace, long now) {
    if (attempt.end(new Ending.Stopped(), grace, now)) {
      sweepWanted = true;
    }
  }

  void stopAll(Duration grace, long now) {
    for (Attempt attempt : attempts) {
      stop(attempt, grace, now);
    }
  }

  /** The first process of an attempt has ended. */
  void exited(Attempt attempt, long now) {
    boolean stopped = attempt.isStopping();
    attempt.exited();
    sweepWanted = true;
    if (!stopped && attempt.age(now) < SHORT && attempt.isGroupEmpty()) {
      early.add(attempt.mark());
      finish(attempt);
    }
  }

  /** Looks at all attempts. */
  void tick(long now) {
    for (Attempt attempt : attempts) {
      if (attempt.check(now) || attempt.isKillDue(now)) {
        sweepWanted = true;
      }
    }
    boolean due = lastSweep.map(last -> now - last >= SWEEP_PERIOD).orElse(true);
    if (sweepWanted && due) {
      lastSweep = Optional.of(now);
      sweepWanted = false;
      sweep(now);
    }
  }

  private void sweep(long now) {
    ProcessTable table;
    try {
      table = ProcessTable.read(processes, since);
    } catch (IOException e) {
      LOG.error("Cannot look for what attempts left running: {}", e.toString());
      sweepWanted = true;
      return;
    }
    for (Attempt attempt : Set.copyOf(attempts)) {
      if (attempt.hasExited() || attempt.isStopping()) {
        clear(attempt, table, now);
      }
    }
    Set<String> again = new HashSet<>();
    for (String mark : early) {
      // The same attempt may run again only in tests; then it is ended with that run.
      Set<Long> living = marks.containsKey(mark) ? Set.of() : table.ofMark(mark);
      for (long pid : living) {
        signals.send(pid, Signals.KILL);
        again.add(mark);
      }
    }
    early = again;
    sweepWanted |= !again.isEmpty();
  }

  private void clear(Attempt attempt, ProcessTable table, long now) {
    Set<Long> living =
        table.ofAttempt(attempt.mark(), attempt.process().pid(), attempt.hasExited());
    if (!living.isEmpty()) {
      attempt.clear(living, now);
    }
    if (!attempt.hasExited()) {
      return;
    }
    if (living.isEmpty()) {
      finish(attempt);
    } else if (attempt.isHopeless(now)) {
      LOG.error(
          "{}: the processes {} cannot be ended; look at them with ps", attempt.mark(), living);
      finish(attempt);
    } else {
      sweepWanted = true;
    }
  }

  private void finish(Attempt attempt) {
    attempt.trim();
    attempts.remove(attempt);
    marks.computeIfPresent(attempt.mark(), (mark, count) -> count == 1 ? null : count - 1);
    callbacks.execute(() -> attempt.ended().accept(attempt.ending()));
  }
}
