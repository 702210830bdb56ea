package dev.weft.process;

import dev.weft.api.AttemptId;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.TaskId;
import dev.weft.api.execution.Executor.Launch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Stands for an agent that is killed: starts some attempts, prints the id of each process, and
 * waits for its own end. Arguments: the node's id, and a folder.
 */
final class ShortLife {
  /** How many processes it leaves: a shell that ignores the request to end, with two others. */
  static final int PROCESSES = 3;

  private static final String SCRIPT =
      "trap '' TERM; echo $$; sleep 1000 & echo $!; setsid sh -c 'echo $$; exec sleep 1000' & wait;"
          + " wait";
  private static final long MEBIBYTE = 1L << 20;
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final long LOOK_MILLIS = 20;

  private ShortLife() {}

  /** Runs until it is killed, for a minute at most. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createDirectories(Path.of(arguments[1], "life"));
    Path output = folder.resolve("stdout");
    ProcessExecutor executor = new ProcessExecutor();
    var unused =
        executor.start(
            new Launch(
                new AttemptId(new TaskId(new JobId("6b".repeat(16)), 0), 1),
                new NodeId(arguments[0]),
                List.of("sh", "-c", SCRIPT),
                new TreeMap<>(),
                folder,
                folder,
                Optional.empty(),
                output,
                MEBIBYTE,
                folder.resolve("stderr"),
                MEBIBYTE,
                LONG,
                LONG),
            ending -> System.out.println("ended early: " + ending));
    CountDownLatch never = new CountDownLatch(1);
    List<String> lines = List.of();
    while (lines.size() < PROCESSES && !never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      lines = Files.readAllLines(output);
    }
    lines.forEach(System.out::println);
    var ignored = never.await(1, TimeUnit.MINUTES);
    executor.close();
  }
}
