package dev.weft.core.loop;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The one way into foreign code (I4): each call has a thread to itself and a deadline. Java cannot
 * kill a looping thread, so one that does not end is left behind and counted; a plug-in with two
 * such threads is refused until they end or the process restarts. Thread-safe.
 */
public final class PluginGuard {
  private static final int MAXIMUM_STUCK = 2;
  private static final long IDLE_SECONDS = 10;

  private final Duration deadline;
  // No more threads than calls at one time, of which the callers have few. They end when idle.
  private final ExecutorService threads =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          task -> {
            Thread thread = new Thread(task, "plug-in");
            thread.setDaemon(true);
            return thread;
          });
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
    Future<?> running = threads.submit(() -> result.complete(named(plugin, call)));
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
                running.cancel(true);
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

  private static <T> Result<T> named(String plugin, Callable<T> call) {
    Thread thread = Thread.currentThread();
    String idle = thread.getName();
    thread.setName("plug-in " + plugin);
    try {
      return run(plugin, call);
    } finally {
      thread.setName(idle);
    }
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
    } catch (Exception | Error e) {
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
