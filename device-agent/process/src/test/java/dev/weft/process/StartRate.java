package dev.weft.process;

import dev.weft.api.AttemptId;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.TaskId;
import dev.weft.api.execution.Executor.Ending;
import dev.weft.api.execution.Executor.Launch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures how many short programs the executor runs a second. No test: a machine that is busy with
 * something else gives any figure.
 *
 * <p>Arguments: the number of runs (2000), and how many may be outstanding (4). To compare with the
 * agent, give the JVM the flags of {@code bin/weft}.
 */
final class StartRate {
  private static final long MEBIBYTE = 1L << 20;

  private StartRate() {}

  /** Runs the measurement and prints one line. */
  public static void main(String[] arguments) throws Exception {
    int runs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2000;
    int outstanding = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 4;
    Path folder = Files.createTempDirectory("weft-rate");
    try (ProcessExecutor executor = new ProcessExecutor()) {
      measure(executor, folder, runs / 4, outstanding);
      double rate = measure(executor, folder, runs, outstanding);
      System.out.printf(
          Locale.ROOT, "%d runs of true, %d outstanding: %.0f/s%n", runs, outstanding, rate);
    } finally {
      Files.deleteIfExists(folder.resolve("stdout"));
      Files.deleteIfExists(folder.resolve("stderr"));
      Files.delete(folder);
    }
  }

  private static double measure(ProcessExecutor executor, Path folder, int runs, int outstanding)
      throws InterruptedException {
    Semaphore free = new Semaphore(outstanding);
    AtomicInteger failed = new AtomicInteger();
    long begin = System.nanoTime();
    for (int i = 0; i < runs; i++) {
      free.acquire();
      var unused =
          executor.start(
              launch(folder, i),
              ending -> {
                if (!ending.equals(new Ending.Exited(0))) {
                  failed.incrementAndGet();
                }
                free.release();
              });
    }
    free.acquire(outstanding);
    if (failed.get() > 0) {
      throw new IllegalStateException(failed + " runs failed");
    }
    return runs / (Duration.ofNanos(System.nanoTime() - begin).toNanos() / 1e9);
  }

  private static Launch launch(Path folder, int index) {
    return new Launch(
        new AttemptId(new TaskId(new JobId("7a".repeat(16)), index), 1),
        new NodeId("7a".repeat(32)),
        List.of("/bin/true"),
        new TreeMap<>(),
        folder,
        folder,
        Optional.empty(),
        folder.resolve("stdout"),
        MEBIBYTE,
        folder.resolve("stderr"),
        MEBIBYTE,
        Duration.ofMinutes(1),
        Duration.ofSeconds(1));
  }
}
