package dev.weft.process;

import dev.weft.api.execution.Executor.Ending;
import dev.weft.process.ProcessTable.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the running attempts: their sizes, times and ends. Belongs to one thread, on which {@link
 * #tick} is called every 100 ms.
 *
 * <p>An attempt is over when its first process has ended and no orphan may be one that it left,
 * which is asked at once and then at every tick. What it did leave is found by its mark in a sweep
 * of {@code /proc}. One sweep serves all attempts that ended before it, and there is one every 200
 * ms at most.
 */
final class Watch {
  /** Time between two looks. */
  static final Duration PERIOD = Duration.ofMillis(100);

  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);
  private static final long SWEEP_PERIOD = Duration.ofMillis(200).toNanos();
  private static final long LOOK_PERIOD = Duration.ofSeconds(1).toNanos();

  private final Path processes;
  private final Orphans orphans;
  private final long since;
  private final Executor callbacks;
  private final Set<Attempt> attempts = new LinkedHashSet<>();
  private boolean sweepWanted;
  private boolean isTroubled;
  private Optional<Long> lastLook = Optional.empty();
  private Optional<Long> lastSweep = Optional.empty();

  /**
   * A watch without attempts.
   *
   * @param processes {@code /proc}
   * @param since when the first process that can carry a mark may have started at the earliest
   * @param callbacks what the ends are told on
   */
  Watch(Path processes, Orphans orphans, long since, Executor callbacks) {
    this.processes = processes;
    this.orphans = orphans;
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
  void exited(Attempt attempt, int code, long now) {
    attempt.exited(code);
    finishThoseGone(List.of(attempt), now);
    sweepWanted |= attempts.contains(attempt);
  }

  /** Looks at all attempts. */
  void tick(long now) {
    List<Attempt> exited = attempts.stream().filter(Attempt::hasExited).toList();
    // Also without any, now and then: what outlived its attempt is buried when it ends.
    if (!exited.isEmpty() || isDue(lastLook, LOOK_PERIOD, now)) {
      finishThoseGone(exited, now);
    }
    for (Attempt attempt : attempts) {
      if (attempt.check(now) || attempt.isKillDue(now)) {
        sweepWanted = true;
      }
    }
    if (sweepWanted && isDue(lastSweep, SWEEP_PERIOD, now)) {
      lastSweep = Optional.of(now);
      sweepWanted = false;
      sweep(now);
    }
  }

  private static boolean isDue(Optional<Long> last, long period, long now) {
    return last.map(time -> now - time >= period).orElse(true);
  }

  private void finishThoseGone(List<Attempt> exited, long now) {
    lastLook = Optional.of(now);
    try {
      Optional<List<Entry>> living = orphans.living(now);
      isTroubled = false;
      exited.stream()
          .filter(
              attempt ->
                  living.map(all -> all.stream().noneMatch(attempt::mayHaveLeft)).orElse(false))
          .forEach(this::finish);
    } catch (IOException e) {
      report(e);
    }
  }

  private void sweep(long now) {
    try {
      ProcessTable table = ProcessTable.read(processes, since);
      for (Attempt attempt : Set.copyOf(attempts)) {
        if (attempt.hasExited() || attempt.isStopping()) {
          clear(attempt, table, now);
        }
      }
    } catch (IOException e) {
      sweepWanted = true;
      report(e);
    }
  }

  private void clear(Attempt attempt, ProcessTable table, long now) {
    Set<Long> living =
        table.ofAttempt(attempt.mark(), attempt.process().pid(), attempt.hasExited());
    attempt.clear(living, now);
    if (attempt.hasExited() && attempt.isHopeless(now)) {
      LOG.error(
          "{}: the processes {} cannot be ended; look at them with ps", attempt.mark(), living);
      finish(attempt);
    }
    sweepWanted |= attempt.hasExited() && attempts.contains(attempt);
  }

  private void report(IOException trouble) {
    if (!isTroubled) {
      isTroubled = true;
      LOG.error("Cannot look for what attempts left running; trying again", trouble);
    }
  }

  private void finish(Attempt attempt) {
    attempt.trim();
    attempts.remove(attempt);
    callbacks.execute(() -> attempt.ended().accept(attempt.ending()));
  }
}
