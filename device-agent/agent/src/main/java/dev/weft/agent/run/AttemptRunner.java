package dev.weft.agent.run;

import dev.weft.api.AttemptId;
import dev.weft.api.Bytes;
import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import dev.weft.api.execution.Executor;
import dev.weft.api.execution.Executor.Ending;
import dev.weft.api.job.Command;
import dev.weft.core.message.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes attempts from their acceptance to their outcome: start hooks in order, the executor, the
 * result. Bounded pools do the work; transfers have a pool of their own, so that a slow one never
 * keeps a short attempt waiting. Thread-safe; nothing here blocks its caller but {@link #close}.
 */
public final class AttemptRunner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AttemptRunner.class);
  private static final int WORKERS = 4;
  private static final int TRANSFERS = 8;
  // More attempts than the core ever accepts at a time.
  private static final int MAXIMUM_WAITING = 8_192;
  private static final Duration CLOSE_GRACE = Duration.ofSeconds(2);
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(4);

  private static final Outcome NOTHING =
      new Outcome.Succeeded(new Outcome.Result.Inline(Bytes.EMPTY));

  private final NodeId node;
  private final AttemptFolders folders;
  private final ExecutorSlot executors;
  private final RunListener listener;
  private final List<StartHook> hooks;
  private final ResultDelivery delivery;
  private final WorkPool work = new WorkPool("weft-agent-work", WORKERS, MAXIMUM_WAITING);
  private final WorkPool transfers = new WorkPool("weft-agent-staging", TRANSFERS, MAXIMUM_WAITING);
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "weft-agent-retry");
            thread.setDaemon(true);
            return thread;
          });
  private final Map<AttemptId, Run> runs = new ConcurrentHashMap<>();
  private final Object ends = new Object();
  private volatile RunLimits limits;

  /**
   * A runner for a node.
   *
   * @param gpus the graphics processors of the node
   * @param limits what runs may write
   */
  public AttemptRunner(
      NodeId node,
      AttemptFolders folders,
      Staging staging,
      ExecutorSlot executors,
      Gpus gpus,
      RunLimits limits,
      RunListener listener) {
    this.node = Objects.requireNonNull(node, "node");
    this.folders = Objects.requireNonNull(folders, "folders");
    this.executors = Objects.requireNonNull(executors, "executors");
    this.limits = Objects.requireNonNull(limits, "limits");
    this.listener = Objects.requireNonNull(listener, "listener");
    this.delivery = new ResultDelivery(staging, transfers, timer, listener, this::end);
    this.hooks =
        List.of(
            new MakeFolder(),
            new StageFiles(staging),
            new StageInput(staging),
            new ChooseFolder(),
            new PrepareEnvironment(node, gpus));
  }

  /** Changes what attempts that start from now on may write. */
  public void limits(RunLimits next) {
    limits = Objects.requireNonNull(next, "next");
  }

  /** Starts an attempt. */
  public void start(RunRequest request) {
    if (request.part().command().kind().equals(Command.NO_OPERATION)) {
      listener.ended(request.attempt(), NOTHING); // no folder, no executor
      return;
    }
    Run run = new Run(request, folders.of(request.attempt()));
    if (runs.putIfAbsent(request.attempt(), run) != null) {
      throw new IllegalStateException("already started: " + request.attempt());
    }
    (request.needsStaging() ? transfers : work).execute(new Step(run, () -> prepare(run)));
  }

  /** Stops an attempt, whatever it is doing; one that is not running is left alone. */
  public void stop(AttemptId attempt, Duration grace) {
    Run run = runs.get(attempt);
    if (run != null) {
      run.stop(grace).ifPresent(execution -> stop(run, execution, grace));
    }
  }

  private void stop(Run run, Executor.Execution execution, Duration grace) {
    executors
        .guard()
        .call(
            ExecutorSlot.NAME,
            () -> {
              execution.stop(grace);
              return true;
            })
        .thenAccept(
            result ->
                ExecutorSlot.failure(result)
                    .ifPresent(
                        why -> LOG.warn("Cannot stop {}: {}", run.request().attempt(), why)));
  }

  /** Whether an attempt was started and has no outcome yet. */
  public boolean isRunning(AttemptId attempt) {
    return runs.containsKey(attempt);
  }

  /**
   * A new executor has ended everything that was left running: what the one before it had started
   * is over.
   */
  public void replaced(Executor current) {
    for (Run run : runs.values()) {
      if (run.belongsToAnother(current)) {
        ended(run, new Ending.NotStarted("the executor was replaced while it ran"));
      }
    }
  }

  private void prepare(Run run) {
    Preparation preparation = new Preparation(run.request(), run.folder());
    if (!run.beginTransfer()) {
      end(run, new Outcome.Stopped("stopped"));
      return;
    }
    try {
      for (StartHook hook : hooks) {
        hook.prepare(preparation);
        if (run.isStopped()) {
          end(run, new Outcome.Stopped("stopped"));
          return;
        }
      }
    } catch (StartFailure e) {
      end(run, run.isStopped() ? new Outcome.Stopped("stopped") : failed(e.fault()));
      return;
    } finally {
      run.endTransfer();
    }
    ExecutorStart.start(run, preparation.launch(node, limits), executors, listener, this::ended);
  }

  // Called by the executor: nothing here may take long.
  private void ended(Run run, Ending ending) {
    if (run.claimEnd()) {
      work.execute(new Step(run, () -> finish(run, ending)));
    }
  }

  private void finish(Run run, Ending ending) {
    if (ending instanceof Ending.Stopped && !run.isStopped()) {
      end(
          run,
          failed(
              new Fault(
                  "command.stopped",
                  Fault.Category.EXTERNAL,
                  "the node's executor was stopped while it ran",
                  true)));
      return;
    }
    if (!(ending instanceof Ending.Exited exited && exited.code() == 0)) {
      end(run, Endings.failure(ending, run.folder().errors()));
      return;
    }
    Path output = run.folder().output();
    try {
      if (Files.size(output) > Outcome.Result.Inline.MAXIMUM_INLINE) {
        delivery.begin(run);
        return;
      }
      Bytes bytes = Bytes.of(FileTail.read(output, 0, Outcome.Result.Inline.MAXIMUM_INLINE));
      end(run, new Outcome.Succeeded(new Outcome.Result.Inline(bytes)));
    } catch (IOException e) {
      end(
          run,
          failed(
              new Fault(
                  "command.output",
                  Fault.Category.EXTERNAL,
                  "standard output cannot be read on the node: " + e,
                  true)));
    }
  }

  private static Outcome failed(Fault fault) {
    return new Outcome.Failed(fault, OptionalInt.empty(), "");
  }

  private void end(Run run, Outcome outcome) {
    if (!run.claimOutcome()) {
      return;
    }
    AttemptId attempt = run.request().attempt();
    runs.remove(attempt, run);
    listener.ended(attempt, outcome);
    synchronized (ends) {
      ends.notifyAll();
    }
  }

  /** Stops everything and waits a few seconds for it. */
  @Override
  public void close() {
    runs.keySet().forEach(attempt -> stop(attempt, CLOSE_GRACE));
    long deadline = System.nanoTime() + CLOSE_WAIT.toNanos();
    try {
      synchronized (ends) {
        for (long left = CLOSE_WAIT.toNanos();
            !runs.isEmpty() && left > 0;
            left = deadline - System.nanoTime()) {
          ends.wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    timer.shutdownNow();
    work.shutdownNow();
    transfers.shutdownNow();
  }

  /** One step of a run. What it throws unexpectedly is the end of the run. */
  private final class Step implements WorkPool.Work {
    private final Run run;
    private final Runnable what;

    Step(Run run, Runnable what) {
      this.run = run;
      this.what = what;
    }

    @Override
    public void run() {
      what.run();
    }

    @Override
    public void failed(Throwable reason) {
      LOG.error("{} broke off", run.request().attempt(), reason);
      end(
          run,
          AttemptRunner.failed(
              new Fault(
                  "agent.failed", Fault.Category.INTERNAL, "the agent failed: " + reason, true)));
    }
  }
}
