package dev.weft.process;

import dev.weft.api.execution.Executor.Ending;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the running attempts: their sizes, times and ends. Belongs to one thread, on which {@link
 * #tick} is called every 100 ms.
 *
 * <p>Children that left an attempt's group are found by their mark in a sweep of {@code /proc}. One
 * sweep serves all attempts that ended before it, and there is one every 200 ms at most. For
 * attempts that ended soon after their start {@link RecentProcesses} mostly tells without one that
 * there are none.
 */
final class Watch {
  /** Time between two looks. */
  static final Duration PERIOD = Duration.ofMillis(100);

  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);
  private static final long SWEEP_PERIOD = Duration.ofMillis(200).toNanos();

  private final Path processes;
  private final RecentProcesses recent;
  private final long since;
  private final Executor callbacks;
  private final Set<Attempt> attempts = new LinkedHashSet<>();
  private boolean sweepWanted;
  private Optional<Long> lastSweep = Optional.empty();

  /**
   * A watch without attempts.
   *
   * @param processes {@code /proc}
   * @param since when the first process that can carry a mark may have started at the earliest
   * @param callbacks what the ends are told on
   */
  Watch(Path processes, long since, Executor callbacks) {
    this.processes = processes;
    this.recent = new RecentProcesses(processes);
    this.since = since;
    this.callbacks = callbacks;
  }

  boolean isIdle() {
    return attempts.isEmpty();
  }

  void add(Attempt attempt) {
    attempts.add(attempt);
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
    if (!stopped && attempt.isGroupEmpty() && isNothingLeft(attempt, now)) {
      finish(attempt);
    } else {
      sweepWanted = true;
    }
  }

  private boolean isNothingLeft(Attempt attempt, long now) {
    return recent.isNothingLeft(attempt.mark(), attempt.process().pid(), attempt.age(now));
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
    callbacks.execute(() -> attempt.ended().accept(attempt.ending()));
  }
}
