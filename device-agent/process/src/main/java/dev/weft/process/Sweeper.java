package dev.weft.process;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that nothing of an attempt outlives it. A look into its process group is one system
 * call; finding what has left the group and the session takes a walk through {@code /proc}, so one
 * walk, at most ten a second, serves all attempts that wait for one.
 *
 * <p>An attempt that ended by itself within {@link #TOO_SHORT}, with an empty group, is called
 * ended at once, and the next walk still ends whatever it may have left: a walk for each of
 * thousands of short attempts a second would cost more than they do.
 */
final class Sweeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
  private static final Duration TOO_SHORT = Duration.ofMillis(200);
  private static final Duration LEFTOVER_GRACE = Duration.ofSeconds(1);
  private static final long PERIOD_MILLIS = 100;
  private static final long SUSPECT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int KILLS_LOGGED = 50;

  private final ProcessTable table;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread created = new Thread(task, "weft-process-sweeper");
            created.setDaemon(true);
            return created;
          });
  private final Map<String, RunningProcess> running = new ConcurrentHashMap<>();
  private final Set<String> suspects = ConcurrentHashMap.newKeySet();
  private final ConcurrentLinkedQueue<RunningProcess> exited = new ConcurrentLinkedQueue<>();
  private final List<Leftover> leftovers = new ArrayList<>();
  private final Future<?> rounds;
  private long sweptNanos = System.nanoTime();

  /** An attempt whose main process is gone and something of it may be left. */
  private static final class Leftover {
    final RunningProcess attempt;
    final long sinceNanos = System.nanoTime();
    int rounds;

    Leftover(RunningProcess attempt) {
      this.attempt = attempt;
    }

    boolean isToBeKilled() {
      return attempt.isStopping()
          ? attempt.isToBeKilled()
          : System.nanoTime() - sinceNanos > LEFTOVER_GRACE.toNanos();
    }
  }

  Sweeper(ProcessTable table) {
    this.table = table;
    this.rounds =
        thread.scheduleWithFixedDelay(
            this::round, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  void started(RunningProcess attempt) {
    running.put(attempt.mark(), attempt);
  }

  /** The main process is gone. Called on the thread that reaped it. */
  void exited(RunningProcess attempt) {
    boolean clean = !attempt.isStopping() && !Signals.groupExists(attempt.session());
    if (clean && attempt.age().compareTo(TOO_SHORT) < 0) {
      running.remove(attempt.mark());
      suspects.add(attempt.mark());
      attempt.finished();
    } else {
      exited.add(attempt);
    }
  }

  /** An attempt is asked to end: what has left its group is asked too, in the next round. */
  void terminate(RunningProcess attempt) {
    suspects.add(attempt.mark());
  }

  private void round() {
    try {
      checkLimits();
      for (RunningProcess attempt = exited.poll(); attempt != null; attempt = exited.poll()) {
        leftovers.add(new Leftover(attempt));
      }
      boolean killing = running.values().stream().anyMatch(RunningProcess::isToBeKilled);
      boolean suspicious = !suspects.isEmpty() && System.nanoTime() - sweptNanos > SUSPECT_NANOS;
      if (!leftovers.isEmpty() || suspicious || killing) {
        sweep();
        sweptNanos = System.nanoTime();
      }
    } catch (RuntimeException e) {
      LOG.error("a round of looking after processes failed; the next one tries again", e);
    }
  }

  private void checkLimits() {
    for (RunningProcess attempt : running.values()) {
      try {
        attempt.checkLimits();
      } catch (IOException e) {
        LOG.warn("the output of {} cannot be checked: {}", attempt.mark(), e.toString());
        attempt.stop(Duration.ZERO);
      }
    }
  }

  private void sweep() {
    Set<String> asked = Set.copyOf(suspects);
    suspects.removeAll(asked);
    Map<String, List<Long>> byMark = new HashMap<>();
    Map<Long, List<Long>> bySession = new HashMap<>();
    for (ProcessTable.Entry entry : table.read()) {
      entry
          .attempt()
          .ifPresent(mark -> byMark.computeIfAbsent(mark, m -> new ArrayList<>()).add(entry.pid()));
      bySession.computeIfAbsent(entry.session(), s -> new ArrayList<>()).add(entry.pid());
    }
    for (String mark : asked) {
      List<Long> pids = byMark.getOrDefault(mark, List.of());
      RunningProcess attempt = running.get(mark);
      if (attempt != null && attempt.isStopping()) {
        pids.forEach(pid -> Signals.sendTo(pid, Signals.TERM));
      } else if (attempt == null && !pids.isEmpty()) {
        LOG.info("{} left {} processes behind; they are ended", mark, pids.size());
        pids.forEach(pid -> Signals.sendTo(pid, Signals.KILL));
        suspects.add(mark); // looked at again, until nothing is left
      }
    }
    for (RunningProcess attempt : running.values()) {
      if (attempt.isToBeKilled()) {
        kill(attempt, members(attempt, byMark, bySession));
      }
    }
    leftovers.removeIf(leftover -> isGone(leftover, members(leftover.attempt, byMark, bySession)));
  }

  private static List<Long> members(
      RunningProcess attempt, Map<String, List<Long>> byMark, Map<Long, List<Long>> bySession) {
    List<Long> pids = new ArrayList<>(byMark.getOrDefault(attempt.mark(), List.of()));
    pids.addAll(bySession.getOrDefault(attempt.session(), List.of()));
    return pids;
  }

  private boolean isGone(Leftover leftover, List<Long> pids) {
    if (pids.isEmpty()) {
      running.remove(leftover.attempt.mark());
      leftover.attempt.finished();
      return true;
    }
    if (leftover.isToBeKilled()) {
      kill(leftover.attempt, pids);
      if (++leftover.rounds % KILLS_LOGGED == 0) {
        LOG.warn("{} cannot be ended: processes {}", leftover.attempt.mark(), pids);
      }
    } else if (leftover.rounds++ == 0) {
      pids.forEach(pid -> Signals.sendTo(pid, Signals.TERM));
    }
    return false;
  }

  private static void kill(RunningProcess attempt, List<Long> pids) {
    Signals.sendToGroup(attempt.session(), Signals.KILL);
    pids.forEach(pid -> Signals.sendTo(pid, Signals.KILL));
  }

  @Override
  public void close() {
    rounds.cancel(false);
    thread.shutdownNow();
  }
}
