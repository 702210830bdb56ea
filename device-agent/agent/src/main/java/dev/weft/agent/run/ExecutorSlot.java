package dev.weft.agent.run;

import dev.weft.api.NodeId;
import dev.weft.api.execution.Executor;
import dev.weft.core.loop.PluginGuard;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the executor for processes while there is one. A new one is used after it has ended what a
 * former life of the agent left running (B5). Thread-safe.
 */
public final class ExecutorSlot {
  /** Name of the executor in messages. */
  static final String NAME = "executor for processes";

  private static final Logger LOG = LoggerFactory.getLogger(ExecutorSlot.class);
  private static final Duration CALL = Duration.ofSeconds(10);
  private static final Duration CLEARING = Duration.ofSeconds(60);
  private static final long RETRY_SECONDS = 5;

  private final NodeId node;
  private final PluginGuard guard = new PluginGuard(CALL);
  private final PluginGuard clearing = new PluginGuard(CLEARING);
  private volatile Optional<Executor> bound = Optional.empty();
  private volatile Optional<Executor> ready = Optional.empty();
  private volatile Optional<Consumer<Optional<Executor>>> listener = Optional.empty();

  /** An empty slot of a node. */
  public ExecutorSlot(NodeId node) {
    this.node = Objects.requireNonNull(node, "node");
  }

  /**
   * Begins to use the executor.
   *
   * @param changed told each time an executor becomes ready or is gone, on any thread
   */
  public synchronized void open(Consumer<Optional<Executor>> changed) {
    listener = Optional.of(changed);
    bound.ifPresent(this::clear);
  }

  /** Tells nobody any more. */
  public synchronized void close() {
    listener = Optional.empty();
  }

  /** An executor is there. */
  public synchronized void bound(Executor executor) {
    bound = Optional.of(executor);
    if (listener.isPresent()) {
      clear(executor);
    }
  }

  /** An executor is gone; if another has taken its place already, nothing changes. */
  public synchronized void unbound(Executor executor) {
    if (isBound(executor)) {
      bound = Optional.empty();
      ready = Optional.empty();
      listener.ifPresent(one -> one.accept(Optional.empty()));
    }
  }

  /** The executor to use now. */
  public Optional<Executor> ready() {
    return ready;
  }

  PluginGuard guard() {
    return guard;
  }

  private boolean isBound(Executor executor) {
    return bound.isPresent() && bound.get() == executor;
  }

  private void clear(Executor executor) {
    clearing
        .call(NAME, () -> executor.endRemains(node))
        .thenAccept(result -> cleared(executor, result));
  }

  private synchronized void cleared(Executor executor, PluginGuard.Result<Integer> result) {
    if (!isBound(executor) || listener.isEmpty()) {
      return;
    }
    Optional<String> failure = failure(result);
    if (failure.isPresent()) {
      LOG.error(
          "Cannot end what was left running: {}; nothing starts before that, next try in {} s",
          failure.get(),
          RETRY_SECONDS);
      CompletableFuture.delayedExecutor(RETRY_SECONDS, TimeUnit.SECONDS)
          .execute(
              () -> {
                if (isBound(executor) && listener.isPresent()) {
                  clear(executor);
                }
              });
      return;
    }
    if (result instanceof PluginGuard.Result.Value<Integer> count && count.value() > 0) {
      LOG.warn("Ended {} processes that a former life of this agent left running", count.value());
    }
    ready = Optional.of(executor);
    listener.ifPresent(one -> one.accept(Optional.of(executor)));
  }

  static Optional<String> failure(PluginGuard.Result<?> result) {
    return result instanceof PluginGuard.Result.Failure<?> failure
        ? Optional.of(failure.reason())
        : Optional.empty();
  }
}
