package dev.weft.agent.run;

import dev.weft.api.execution.Executor;
import dev.weft.api.execution.Executor.Ending;
import dev.weft.core.loop.PluginGuard;
import dev.weft.core.message.Message;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The last step of a start: hands the prepared attempt to the executor. */
final class ExecutorStart {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorStart.class);

  private ExecutorStart() {}

  /** Blocks until the executor has taken it, at most for the guard's deadline. */
  static void start(
      Run run,
      Executor.Launch launch,
      ExecutorSlot executors,
      RunListener listener,
      BiConsumer<Run, Ending> ended) {
    Optional<Executor> present = executors.ready();
    if (present.isEmpty()) {
      ended.accept(run, new Ending.NotStarted("this node has no executor for processes now"));
      return;
    }
    listener.phaseChanged(launch.attempt(), Message.Phase.RUNNING);
    Executor executor = present.get();
    run.startedBy(executor);
    AtomicBoolean begun = new AtomicBoolean();
    AtomicBoolean returned = new AtomicBoolean();
    PluginGuard.Result<Boolean> result =
        executors
            .guard()
            .call(
                ExecutorSlot.NAME,
                () -> {
                  begun.set(true);
                  try {
                    Executor.Execution execution =
                        executor.start(launch, ending -> ended.accept(run, ending));
                    Optional<Duration> stop = run.adopt(execution);
                    stop.ifPresent(execution::stop);
                    return true;
                  } finally {
                    returned.set(true);
                  }
                })
            .toCompletableFuture()
            .join();
    Optional<String> failure = ExecutorSlot.failure(result);
    if (failure.isEmpty()) {
      return;
    }
    if (begun.get() && !returned.get()) {
      // It may still start: its resources stay taken until the executor says that it has ended.
      LOG.warn("{} is slow to start: {}", launch.attempt(), failure.get());
    } else {
      ended.accept(run, new Ending.NotStarted(failure.get()));
    }
  }
}
