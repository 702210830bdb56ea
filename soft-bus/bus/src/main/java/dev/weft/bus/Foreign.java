package dev.weft.bus;

import dev.weft.core.loop.PluginGuard;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Opens and closes things of transports and discoveries, which are foreign code, in bounded time.
 */
final class Foreign {
  private final PluginGuard guard;

  Foreign(Duration deadline) {
    this.guard = new PluginGuard(deadline);
  }

  /**
   * Opens something. What comes after the deadline is closed again.
   *
   * @param name of the plug-in
   * @param open what to call; it may throw, block and return null
   * @param close closes what it returned
   */
  <T> PluginGuard.Result<T> open(String name, Callable<T> open, Consumer<T> close) {
    AtomicReference<T> made = new AtomicReference<>();
    AtomicBoolean settled = new AtomicBoolean();
    Callable<T> call =
        () -> {
          T opened = open.call();
          made.set(opened);
          if (opened != null && !settled.compareAndSet(false, true)) {
            close.accept(opened);
          }
          return opened;
        };
    PluginGuard.Result<T> result = guard.call(name, call).toCompletableFuture().join();
    boolean isTaken =
        result instanceof PluginGuard.Result.Value<T> || settled.compareAndSet(false, true);
    T late = made.get();
    if (!isTaken && late != null) {
      close(name, () -> close.accept(late)); // it was ready at the very moment of the deadline
    }
    return result;
  }

  /** Calls something for its effect and waits until it is over, or the deadline. */
  PluginGuard.Result<Boolean> close(String name, Runnable action) {
    return guard
        .call(
            name,
            () -> {
              action.run();
              return true;
            })
        .toCompletableFuture()
        .join();
  }
}
