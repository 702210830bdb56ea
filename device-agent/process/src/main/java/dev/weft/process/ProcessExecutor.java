package dev.weft.process;

import dev.weft.api.NodeId;
import dev.weft.api.execution.Executor;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;

/**
 * Runs attempts as processes of the operating system. Each leads a session of its own (by {@code
 * setsid}) and carries marks in its environment, so that everything it starts can be found and
 * ended with it. Output goes straight into files; how much is looked at ten times a second, so a
 * fast writer may exceed a limit by what it writes in that time.
 */
@Component(property = Executor.KIND + "=process")
public final class ProcessExecutor implements Executor {
  static final String NODE_MARK = "WEFT_NODE";
  static final String ATTEMPT_MARK = "WEFT_ATTEMPT_ID";

  private static final Duration REMAINS_GRACE = Duration.ofSeconds(2);
  private static final Duration REMAINS_LIMIT = Duration.ofSeconds(8);
  private static final long REMAINS_PAUSE_MILLIS = 50;
  private static final int ENDING_THREADS = 2;
  private static final File NOTHING = new File("/dev/null");

  private final ProcessTable table = new ProcessTable(Path.of("/proc"));
  private final Optional<String> unusable;
  private final Sweeper sweeper = new Sweeper(table);
  private final ExecutorService endings =
      Executors.newFixedThreadPool(
          ENDING_THREADS,
          task -> {
            Thread thread = new Thread(task, "weft-process-ending");
            thread.setDaemon(true);
            return thread;
          });

  /** Made by the framework. */
  @Activate
  public ProcessExecutor() {
    unusable = problem();
  }

  private static Optional<String> problem() {
    try {
      Signals.load();
      return ProgramFinder.problem("setsid", System.getenv("PATH"), Path.of("/"));
    } catch (LinkageError e) {
      return Optional.of("signals cannot be sent on this node, JNA does not load: " + e);
    }
  }

  @Deactivate
  void stop() {
    sweeper.close();
    endings.shutdown();
  }

  @Override
  public Execution start(Launch launch, Consumer<Ending> ended) {
    String path =
        launch
            .environment()
            .getOrDefault("PATH", System.getenv().getOrDefault("PATH", "/usr/bin:/bin"));
    Optional<String> problem =
        unusable.or(
            () -> ProgramFinder.problem(launch.arguments().get(0), path, launch.workingFolder()));
    if (problem.isPresent()) {
      return notStarted(problem.get(), ended);
    }
    String mark = mark(launch);
    try {
      Process process = builder(launch, mark).start();
      RunningProcess attempt = new RunningProcess(launch, mark, process, ended, sweeper);
      sweeper.started(attempt);
      var exited = process.onExit().thenAcceptAsync(none -> sweeper.exited(attempt), endings);
      assert !exited.isCancelled();
      return attempt;
    } catch (IOException e) {
      return notStarted("it could not be started: " + e.getMessage(), ended);
    }
  }

  private Execution notStarted(String reason, Consumer<Ending> ended) {
    endings.execute(() -> ended.accept(new Ending.NotStarted(reason)));
    return grace -> {};
  }

  private static String mark(Launch launch) {
    var task = launch.attempt().task();
    return launch.node().hex()
        + "/"
        + task.job().hex()
        + "/"
        + task.index()
        + "#"
        + launch.attempt().number();
  }

  private static ProcessBuilder builder(Launch launch, String mark) {
    List<String> command = new ArrayList<>();
    command.add("setsid");
    command.addAll(launch.arguments());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(launch.workingFolder().toFile())
            .redirectInput(Redirect.from(launch.input().map(Path::toFile).orElse(NOTHING)))
            // Appending, so that a file that is cut does not get a hole at the next write.
            .redirectOutput(Redirect.appendTo(launch.output().toFile()))
            .redirectError(Redirect.appendTo(launch.errors().toFile()));
    Map<String, String> environment = builder.environment();
    environment.putAll(launch.environment());
    environment.put(NODE_MARK, launch.node().hex());
    environment.put(ATTEMPT_MARK, mark);
    return builder;
  }

  @Override
  public int endRemains(NodeId node) {
    Set<Long> ended = new HashSet<>();
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < REMAINS_LIMIT.toNanos()) {
      Set<Long> remains = remains(node);
      if (remains.isEmpty()) {
        break;
      }
      boolean force = System.nanoTime() - begin > REMAINS_GRACE.toNanos();
      for (long pid : remains) {
        if (ended.add(pid) || force) {
          Signals.sendTo(pid, force ? Signals.KILL : Signals.TERM);
        }
      }
      pause();
    }
    return ended.size();
  }

  /** Processes with the node's mark, and all others of their sessions. */
  private Set<Long> remains(NodeId node) {
    long self = ProcessHandle.current().pid();
    List<ProcessTable.Entry> all = table.read();
    Set<Long> sessions = new HashSet<>();
    Set<Long> pids = new HashSet<>();
    for (ProcessTable.Entry entry : all) {
      // The attempt's mark too: an agent that was itself started by a task has only the node's.
      if (entry.node().equals(Optional.of(node.hex())) && entry.attempt().isPresent()) {
        sessions.add(entry.session());
        pids.add(entry.pid());
      }
    }
    all.stream()
        .filter(entry -> sessions.contains(entry.session()))
        .forEach(entry -> pids.add(entry.pid()));
    pids.remove(self);
    return pids;
  }

  private static void pause() {
    try {
      boolean ignored = new CountDownLatch(1).await(REMAINS_PAUSE_MILLIS, TimeUnit.MILLISECONDS);
      assert !ignored;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
