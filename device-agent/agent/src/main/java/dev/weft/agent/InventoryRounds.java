package dev.weft.agent;

import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.inventory.Probe;
import dev.weft.core.loop.PluginGuard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the probes, one after the other on a thread of its own, and tells what they found. A probe
 * that fails is believed to have still what it had, for a few times.
 */
final class InventoryRounds implements AutoCloseable {
  /** Service property of a probe: time between two looks, in milliseconds. */
  static final String PERIOD = "weft.probe.period.ms";

  private static final Logger LOG = LoggerFactory.getLogger(InventoryRounds.class);
  private static final Duration DEADLINE = Duration.ofSeconds(5);
  private static final int FAILURES_FORGIVEN = 3;
  // Long enough for the bundles of probes to start, short enough for a node without them.
  private static final Duration FIRST_WAIT = Duration.ofSeconds(5);

  private final PluginGuard guard;
  private final Consumer<Inventory> listener;
  private final List<Asked> probes = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread made = new Thread(task, "weft-agent-inventory");
            made.setDaemon(true);
            return made;
          });
  private volatile Duration period;
  private volatile boolean started;
  private long begin;

  /** A probe and what it said last. All but the first three belong to the thread of the rounds. */
  private static final class Asked {
    final Probe probe;
    final String name;
    final Duration ownPeriod;
    Optional<Long> lastNanos = Optional.empty();
    Inventory last = Inventory.EMPTY;
    Optional<String> failure = Optional.empty();
    int failures;

    Asked(Probe probe, Duration ownPeriod) {
      this.probe = probe;
      this.name = probe.name();
      this.ownPeriod = ownPeriod;
    }
  }

  /**
   * Rounds that {@link #start} starts.
   *
   * @param listener told after each round from the first one on that found processors and memory,
   *     or after 5 s whatever was found; on the thread of the rounds
   */
  InventoryRounds(Duration period, Consumer<Inventory> listener) {
    this(period, new PluginGuard(DEADLINE), listener);
  }

  InventoryRounds(Duration period, PluginGuard guard, Consumer<Inventory> listener) {
    this.period = Objects.requireNonNull(period, "period");
    this.guard = Objects.requireNonNull(guard, "guard");
    this.listener = Objects.requireNonNull(listener, "listener");
  }

  void start() {
    begin = System.nanoTime();
    started = true;
    thread.execute(this::roundAndNext);
  }

  void period(Duration next) {
    period = next;
  }

  /** A probe is there; it is asked with the next round, or at once while the first is awaited. */
  void add(Probe probe, Duration ownPeriod) {
    probes.add(new Asked(probe, ownPeriod));
    if (started && !thread.isShutdown()) {
      thread.execute(this::roundUnlessFound);
    }
  }

  private void roundUnlessFound() {
    if (!isFound()) {
      round();
    }
  }

  void remove(Probe probe) {
    probes.removeIf(asked -> asked.probe == probe);
  }

  private void roundAndNext() {
    try {
      round();
    } catch (RuntimeException e) {
      LOG.error("A round of the probes broke off", e);
    } finally {
      if (!thread.isShutdown()) {
        Duration wait = isFound() ? period : period.dividedBy(5);
        var unused = thread.schedule(this::roundAndNext, wait.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
  }

  private void round() {
    for (Asked asked : probes) {
      if (thread.isShutdown()) {
        return;
      }
      if (isDue(asked)) {
        ask(asked);
      }
    }
    if (isFound() || System.nanoTime() - begin > FIRST_WAIT.toNanos()) {
      listener.accept(merged());
    }
  }

  private boolean isDue(Asked asked) {
    // A little early is better than a whole round late.
    long wait = asked.ownPeriod.minus(period.dividedBy(4)).toNanos();
    return asked.lastNanos.map(last -> System.nanoTime() - last >= wait).orElse(true);
  }

  private void ask(Asked asked) {
    asked.lastNanos = Optional.of(System.nanoTime());
    PluginGuard.Result<Inventory> result =
        guard.call("probe " + asked.name, asked.probe::look).toCompletableFuture().join();
    if (result instanceof PluginGuard.Result.Value<Inventory> found) {
      asked.last = found.value();
      asked.failure = Optional.empty();
      asked.failures = 0;
      return;
    }
    asked.failures++;
    asked.failure = Optional.of(((PluginGuard.Result.Failure<Inventory>) result).reason());
    if (asked.failures >= FAILURES_FORGIVEN) {
      asked.last = Inventory.EMPTY;
    }
  }

  private boolean isFound() {
    return has(Device.Cpu.class) && has(Device.Memory.class);
  }

  private boolean has(Class<? extends Device> kind) {
    return probes.stream().anyMatch(asked -> asked.last.first(kind).isPresent());
  }

  private Inventory merged() {
    List<Inventory> found = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (Asked asked : probes) {
      found.add(asked.last);
      asked.failure.ifPresent(notes::add);
    }
    if (!has(Device.Cpu.class)) {
      notes.add("no probe found the processors, so none are offered");
    }
    if (!has(Device.Memory.class)) {
      notes.add("no probe found the memory, so none is offered");
    }
    return InventoryMerge.of(found, notes);
  }

  /** Stops; a probe under way is left to its deadline. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
