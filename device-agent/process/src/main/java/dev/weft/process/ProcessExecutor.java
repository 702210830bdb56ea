package dev.weft.process;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.api.execution.Executor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs attempts as processes of Linux. Each is the leader of its own session and group, made by
 * {@link SpawnStarter} or, where the C library lacks what that needs, by {@link SetsidStarter}, and
 * carries {@code WEFT_NODE} and {@code WEFT_ATTEMPT_ID} in its environment, which its children
 * inherit: this is how they are found again, also by a later life of the agent.
 *
 * <p>What it promises beyond the contract:
 *
 * <ul>
 *   <li>An exit code of 129 to 192 counts as ended by a signal: shells report both the same way.
 *   <li>Sizes and times are looked at every 100 ms. Between two looks an output file can grow
 *       beyond its limit by what a program writes in that time: 140 MiB were seen for {@code yes}.
 *       What is too much is cut off at the next look and at the end.
 *   <li>The end is told when nothing of the attempt runs any more, as {@link Orphans} sees it: at
 *       once if it left nothing. What it left is asked to end at the next sweep, 200 ms later at
 *       most, and ended by force 500 ms after that.
 *   <li>A child that makes its own session and also drops the marks from its environment is not
 *       found.
 * </ul>
 */
final class ProcessExecutor implements Executor, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessExecutor.class);
  private static final Path PROCESSES = Path.of("/proc");
  private static final Path NO_INPUT = Path.of("/dev/null");
  private static final Duration CLOSE_GRACE = Duration.ofSeconds(1);
  private static final long CLOSE_SECONDS = 5;
  private static final int CALLBACK_THREADS = 4;
  private static final long CALLBACK_IDLE_SECONDS = 5;

  private final Optional<NativeSystem> system;
  private final String systemProblem;
  private final Optional<Starter> starter;
  private final ScheduledExecutorService thread;
  private final ThreadPoolExecutor callbacks;
  private final Orphans orphans;
  private final Watch watch;
  private volatile boolean closed;

  /** An executor that finds what it needs on this machine. */
  ProcessExecutor() {
    this(findStarter());
  }

  /** An executor that starts programs in a given way, if there is one. */
  ProcessExecutor(Optional<Starter> starter) {
    Optional<NativeSystem> loaded = Optional.empty();
    String problem = "";
    try {
      loaded = Optional.of(new NativeSystem());
    } catch (LinkageError e) {
      problem = "processes cannot be signalled here, because JNA does not load: " + e.getMessage();
      LOG.error("No attempt can start: {}", problem);
    }
    this.system = loaded;
    this.systemProblem = problem;
    this.starter = starter;
    this.thread = Executors.newSingleThreadScheduledExecutor(threads("weft-process-watch"));
    this.callbacks = callbacks();
    long own = ProcessHandle.current().pid();
    this.orphans = new Orphans(PROCESSES, own, loaded);
    long since = ProcessTable.start(PROCESSES, own).orElse(0L);
    this.watch = new Watch(PROCESSES, orphans, since, this.callbacks);
    thread.execute(this::tickAndNext);
  }

  /** How an attempt is marked. */
  static String mark(AttemptId attempt) {
    return attempt.task().job().hex() + "/" + attempt.task().index() + "#" + attempt.number();
  }

  @Override
  public Execution start(Launch launch, Consumer<Ending> ended) {
    Optional<String> problem = problem();
    if (problem.isPresent()) {
      return notStarted(problem.get(), ended);
    }
    Map<String, String> environment = environment(launch);
    LaunchCheck.Found found =
        LaunchCheck.find(launch, Optional.ofNullable(environment.get("PATH")));
    if (found instanceof LaunchCheck.Found.Problem why) {
      return notStarted(why.reason(), ended);
    }
    Path file = ((LaunchCheck.Found.Program) found).file().toAbsolutePath();
    long begin = System.nanoTime();
    Starter.Child process;
    try {
      clear(launch.output());
      clear(launch.errors());
      process = starter.orElseThrow().start(program(launch, file, environment));
      orphans.started(process.pid());
    } catch (IOException | IllegalArgumentException e) {
      return notStarted(
          "cannot start '" + launch.arguments().get(0) + "': " + e.getMessage(), ended);
    }
    Attempt attempt = new Attempt(launch, process, ended, system.orElseThrow(), begin);
    try {
      thread.execute(() -> watch.add(attempt));
    } catch (RejectedExecutionException e) {
      system.orElseThrow().send(process.pid(), Signals.KILL);
      return notStarted("the executor is being stopped", ended);
    }
    var unused = process.exit().thenAcceptAsync(code -> exited(attempt, code), thread);
    return grace -> onWatch(() -> watch.stop(attempt, grace, System.nanoTime()));
  }

  private void exited(Attempt attempt, int code) {
    orphans.ended(attempt.process().pid());
    watch.exited(attempt, code, System.nanoTime());
  }

  @Override
  public int endRemains(NodeId node) {
    if (system.isEmpty()) {
      throw new IllegalStateException(systemProblem);
    }
    try {
      return new Remains(node, PROCESSES, system.get(), thread)
          .end()
          .get(Remains.BOUND.toSeconds() + 2, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while ending what was left running", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("cannot end what was left running: " + e.getMessage(), e);
    }
  }

  /** Ends all attempts, waits for that for 5 s at most, and starts none any more. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    onWatch(() -> watch.stopAll(CLOSE_GRACE, System.nanoTime()));
    var unused =
        thread.scheduleWithFixedDelay(
            () -> {
              if (watch.isIdle()) {
                thread.shutdownNow();
              }
            },
            0,
            Watch.PERIOD.toMillis(),
            TimeUnit.MILLISECONDS);
    try {
      if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        LOG.error("Attempts still run after {} s; the next start ends them", CLOSE_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      thread.shutdownNow();
    }
  }

  private Optional<String> problem() {
    if (closed) {
      return Optional.of("the executor is being stopped");
    }
    if (system.isEmpty()) {
      return Optional.of(systemProblem);
    }
    return starter.isEmpty()
        ? Optional.of("the program setsid is not installed; it is part of util-linux")
        : Optional.empty();
  }

  private static Map<String, String> environment(Launch launch) {
    Map<String, String> environment = new HashMap<>(System.getenv());
    // These are of the shell that started the agent.
    environment.keySet().removeAll(Set.of("OLDPWD", "SHLVL", "_", "MAIL"));
    environment.put("PWD", launch.workingFolder().toString());
    environment.putAll(launch.environment());
    environment.put(ProcessTable.NODE, launch.node().hex());
    environment.put(ProcessTable.ATTEMPT, mark(launch.attempt()));
    return environment;
  }

  private static Starter.Program program(
      Launch launch, Path file, Map<String, String> environment) {
    return new Starter.Program(
        file,
        launch.arguments(),
        environment,
        launch.workingFolder(),
        launch.input().orElse(NO_INPUT),
        launch.output(),
        launch.errors());
  }

  private Execution notStarted(String reason, Consumer<Ending> ended) {
    callbacks.execute(() -> ended.accept(new Ending.NotStarted(reason)));
    return grace -> {};
  }

  private void tickAndNext() {
    try {
      watch.tick(System.nanoTime());
    } catch (RuntimeException e) {
      // Without the next look no limit would hold any more, so it goes on.
      LOG.error("Unexpected failure while watching the running attempts", e);
    }
    if (!thread.isShutdown()) {
      var unused =
          thread.schedule(this::tickAndNext, Watch.PERIOD.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void onWatch(Runnable task) {
    try {
      thread.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("After the end of the executor nothing runs that could be stopped");
    }
  }

  private static void clear(Path file) throws IOException {
    Files.write(file, new byte[0]);
  }

  private static Optional<Starter> findStarter() {
    try {
      return Optional.of(new SpawnStarter());
    } catch (LinkageError e) {
      LOG.info("Processes are started through setsid, because {}", e.getMessage());
      return SetsidStarter.find(Optional.ofNullable(System.getenv("PATH")).orElse(""))
          .map(Starter.class::cast);
    }
  }

  /** Never shut down, so that each end can be told; its threads end by themselves when idle. */
  private static ThreadPoolExecutor callbacks() {
    // One entry for each attempt at most: the number of attempts is bounded by the agent's slots.
    ThreadPoolExecutor made =
        new ThreadPoolExecutor(
            CALLBACK_THREADS,
            CALLBACK_THREADS,
            CALLBACK_IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            threads("weft-process-ended"));
    made.allowCoreThreadTimeOut(true);
    return made;
  }

  private static ThreadFactory threads(String name) {
    return task -> {
      Thread made = new Thread(task, name);
      made.setDaemon(true);
      made.setUncaughtExceptionHandler(
          (thread, error) -> LOG.error("Unexpected failure on {}", thread.getName(), error));
      return made;
    };
  }
}
