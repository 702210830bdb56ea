package dev.weft.core.loop;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The one way into foreign code (I4): each call has a thread of its own and a deadline. Java cannot
 * kill a looping thread, so one that does not end is left behind and counted; a plug-in with two
 * such threads is refused until they end or the process restarts. Thread-safe.
 */
public final class PluginGuard {
  private static final int MAXIMUM_STUCK = 2;

  private final Duration deadline;
  private final Map<String, AtomicInteger> stuck = new ConcurrentHashMap<>();

  /** A guard whose calls have this deadline. */
  public PluginGuard(Duration deadline) {
    this.deadline = Objects.requireNonNull(deadline, "deadline");
  }

  /**
   * Calls a plug-in.
   *
   * @param plugin its name and version
   * @param call what to call
   * @return what became of it; completes on another thread, never exceptionally
   */
  public <T> CompletionStage<Result<T>> call(String plugin, Callable<T> call) {
    AtomicInteger stuckHere = stuck.computeIfAbsent(plugin, name -> new AtomicInteger());
    if (stuckHere.get() >= MAXIMUM_STUCK) {
      return CompletableFuture.completedFuture(
          new Result.Failure<>(
              plugin
                  + " is refused: "
                  + MAXIMUM_STUCK
                  + " of its calls never ended; replace it and restart"));
    }
    CompletableFuture<Result<T>> result = new CompletableFuture<>();
    Thread thread = new Thread(() -> result.complete(run(plugin, call)), "plug-in " + plugin);
    thread.setDaemon(true);
    thread.start();
    return result
        .copy()
        .completeOnTimeout(
            new Result.Failure<>(plugin + " gave no answer within " + deadline.toMillis() + " ms"),
            deadline.toMillis(),
            TimeUnit.MILLISECONDS)
        .whenComplete(
            (answer, none) -> {
              if (!result.isDone()) {
                stuckHere.incrementAndGet();
                var released = result.thenRun(stuckHere::decrementAndGet);
                assert !released.isCompletedExceptionally();
                thread.interrupt();
              }
            });
  }

  /** Plug-ins with calls that never ended, and how many. */
  public Map<String, Integer> stuck() {
    Map<String, Integer> counts = new ConcurrentHashMap<>();
    stuck.forEach(
        (plugin, count) -> {
          if (count.get() > 0) {
            counts.put(plugin, count.get());
          }
        });
    return Map.copyOf(counts);
  }

  // Foreign code may throw anything; an Error of its own must not take a thread of ours with it.
  private static <T> Result<T> run(String plugin, Callable<T> call) {
    try {
      T value = call.call();
      return value == null
          ? new Result.Failure<>(plugin + " answered with null")
          : new Result.Value<>(value);
    } catch (InterruptedException e) {
      return new Result.Failure<>(plugin + " was interrupted");
    } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
      return new Result.Failure<>(plugin + " failed: " + e);
    }
  }

  /**
   * What became of a call.
   *
   * @param <T> what the plug-in returns
   */
  public sealed interface Result<T> {
    /** It answered. */
    record Value<T>(T value) implements Result<T> {}

    /** It did not, and why. */
    record Failure<T>(String reason) implements Result<T> {}
  }
}
