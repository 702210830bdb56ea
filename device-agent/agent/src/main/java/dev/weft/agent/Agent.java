package dev.weft.agent;

import dev.weft.agent.run.AttemptFolders;
import dev.weft.agent.run.AttemptRunner;
import dev.weft.agent.run.ExecutorSlot;
import dev.weft.agent.run.Gpus;
import dev.weft.agent.run.LogReader;
import dev.weft.agent.run.Staging;
import dev.weft.api.execution.Executor;
import dev.weft.api.inventory.Inventory;
import dev.weft.core.bus.Bus;
import dev.weft.core.bus.LocalNode;
import dev.weft.core.bus.Peer;
import dev.weft.core.loop.SteadyClock;
import dev.weft.core.staging.StagingClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One agent, put together: core, loop, runs, inventory. Everything here may be called from any
 * thread.
 */
final class Agent implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Agent.class);

  private final Gpus gpus = new Gpus();
  private final ExecutorSlot executors;
  private final AttemptFolders folders;
  private final AttemptRunner runner;
  private final LogReader logs;
  private final AgentLoop loop;
  private final InventoryRounds rounds;
  private final String operatingSystem;

  // Guarded by this.
  private AgentSettings settings;
  private Optional<Inventory> found = Optional.empty();
  private Optional<AgentEvent.Looked> told = Optional.empty();
  private boolean everCleared;
  private boolean executor;

  /**
   * An agent that is not started.
   *
   * @param home folder of the agent's own
   * @param operatingSystem kind of system, for the label {@code os}
   */
  Agent(
      LocalNode node,
      Bus bus,
      StagingClient staging,
      Path home,
      String operatingSystem,
      AgentSettings settings) {
    this.settings = Objects.requireNonNull(settings, "settings");
    this.operatingSystem = Objects.requireNonNull(operatingSystem, "operatingSystem");
    executors = new ExecutorSlot(node.id());
    folders = new AttemptFolders(home, settings.keep());
    loop =
        new AgentLoop(
            new AgentCore(
                node.boot(),
                ReportNumbers.before(home, node.boot()),
                settings.reportPeriod(),
                settings.versions()),
            bus,
            folders,
            new SteadyClock());
    runner =
        new AttemptRunner(
            node.id(),
            folders,
            new Staging(
                staging, manager -> bus.peer(manager).map(Peer::address).map(a -> a.getAddress())),
            executors,
            gpus,
            settings.limits(),
            loop);
    logs = new LogReader(folders, runner::isRunning);
    rounds = new InventoryRounds(settings.inventoryPeriod(), this::found);
  }

  AgentLoop loop() {
    return loop;
  }

  ExecutorSlot executors() {
    return executors;
  }

  InventoryRounds probes() {
    return rounds;
  }

  /** Starts everything; returns at once. */
  void start() {
    loop.start(new AgentLoop.Runs(runner, logs));
    rounds.start();
    executors.open(this::executorChanged);
  }

  /** Takes over other settings at once. */
  synchronized void settings(AgentSettings next) {
    if (!next.reportPeriod().equals(settings.reportPeriod())) {
      loop.tell(new AgentEvent.ReportPeriodChanged(next.reportPeriod()));
    }
    settings = next;
    rounds.period(next.inventoryPeriod());
    runner.limits(next.limits());
    folders.keep(next.keep());
    offer();
  }

  private synchronized void found(Inventory inventory) {
    found = Optional.of(inventory);
    offer();
  }

  private void executorChanged(Optional<Executor> ready) {
    if (ready.isEmpty()) {
      LOG.warn("The executor for processes is gone: nothing is offered until there is one again");
    } else {
      clear();
      runner.replaced(ready.get());
      loop.tell(new AgentEvent.Cleared());
    }
    synchronized (this) {
      executor = ready.isPresent();
      offer();
    }
  }

  private synchronized void clear() {
    if (everCleared) {
      return;
    }
    everCleared = true;
    try {
      folders.clear();
    } catch (IOException e) {
      LOG.error("The agent's folder cannot be used, every task will fail: {}", e.toString());
    }
  }

  private synchronized void offer() {
    if (found.isEmpty()) {
      return;
    }
    Offer offer =
        Offer.of(settings.offer(), found.get(), gpus.found(found.get()), operatingSystem, executor);
    List<Inventory> all = new ArrayList<>();
    all.add(found.get());
    AgentEvent.Looked next =
        new AgentEvent.Looked(
            InventoryMerge.of(all, offer.notes()), offer.offered(), offer.labels());
    if (!told.equals(Optional.of(next))) {
      told = Optional.of(next);
      loop.tell(next);
    }
  }

  /** Stops everything, ends every run, and waits a few seconds for it. */
  @Override
  public void close() {
    rounds.close();
    // First, so that managers do not take these ends for ends of their tasks: they hear that the
    // node is gone and run them elsewhere.
    loop.close();
    runner.close();
    executors.close();
    logs.close();
    folders.close();
  }
}
