package dev.weft.testkit.execution;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.AttemptId;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.TaskId;
import dev.weft.api.execution.Executor;
import dev.weft.api.execution.Executor.Ending;
import dev.weft.api.execution.Executor.Execution;
import dev.weft.api.execution.Executor.Launch;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What every executor for processes must keep. Needs a Unix system with a shell. */
@Timeout(60)
public abstract class ExecutorContract {
  private static final long MEBIBYTE = 1L << 20;
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final int SHORT_ROUNDS = 20;
  private static final int MANY = 300;

  /** The folder of the test. */
  @TempDir protected Path folder;

  private int attempts;

  /** The executor under test. */
  protected abstract Executor executor();

  /** A run and what was told about its end. */
  protected static final class Started {
    private final Launch launch;
    private final BlockingQueue<Ending> endings = new LinkedBlockingQueue<>();
    private final Execution execution;

    Started(Executor executor, Launch launch) {
      this.launch = launch;
      this.execution = executor.start(launch, endings::add);
    }

    /** What runs. */
    public Launch launch() {
      return launch;
    }

    /** The handle to stop it. */
    public Execution execution() {
      return execution;
    }

    /** Waits for the end, which must be told once. */
    public Ending ending() throws InterruptedException {
      Ending ending = endings.poll(20, TimeUnit.SECONDS);
      assertTrue(ending != null, "no end was told within 20 s");
      assertTrue(endings.isEmpty(), "the end was told twice");
      return ending;
    }

    String output() throws IOException {
      return Files.readString(launch.output());
    }

    String errors() throws IOException {
      return Files.readString(launch.errors());
    }
  }

  /** A launch without input, with ample limits. */
  protected final Launch launch(String... arguments) throws IOException {
    attempts++;
    Path own = Files.createDirectories(folder.resolve("attempt" + attempts));
    return new Launch(
        new AttemptId(new TaskId(new JobId("5e".repeat(16)), attempts), 1),
        new NodeId("ab".repeat(32)),
        List.of(arguments),
        new TreeMap<>(),
        own,
        own,
        Optional.empty(),
        own.resolve("stdout"),
        MEBIBYTE,
        own.resolve("stderr"),
        MEBIBYTE,
        Duration.ofSeconds(50),
        SHORT);
  }

  /** Starts a script. */
  protected final Started shell(String script) throws IOException {
    return started(launch("sh", "-c", script));
  }

  /** Starts something. */
  protected final Started started(Launch launch) {
    return new Started(executor(), launch);
  }

  @Test
  void tellsTheExitCodeAndKeepsTheOutputs() throws Exception {
    Started run = shell("echo out; echo err >&2; exit 3");
    assertEquals(new Ending.Exited(3), run.ending());
    assertEquals("out\n", run.output());
    assertEquals("err\n", run.errors());
    assertEquals(new Ending.Exited(0), shell("exit 0").ending());
    assertEquals(new Ending.Exited(255), shell("exit 255").ending());
    assertEquals(new Ending.Exited(0), started(launch("true")).ending());
  }

  @Test
  void passesArgumentsUnchanged() throws Exception {
    Started run = started(launch("printf", "%s|", "a b", "", "$HOME", "*", "-x", "two\nlines"));
    assertEquals(new Ending.Exited(0), run.ending());
    assertEquals("a b||$HOME|*|-x|two\nlines|", run.output());
  }

  @Test
  void passesLettersOfAllLanguagesOrSaysThatItCannot() throws Exception {
    String text = "Gr\u00fc\u00dfe \u4e16\u754c \ud83d\ude00";
    Launch launch = launch("sh", "-c", "printf '%s|%s' \"$1\" \"$GREETING\"", "sh", text);
    TreeMap<String, String> environment = new TreeMap<>();
    environment.put("GREETING", text);
    Started run = started(copy(launch, environment, Optional.empty(), launch.folder()));
    Ending ending = run.ending();
    if (Charset.defaultCharset().newEncoder().canEncode(text)) {
      assertEquals(new Ending.Exited(0), ending);
      assertEquals(text + "|" + text, run.output());
    } else {
      assertInstanceOf(Ending.NotStarted.class, ending);
    }
  }

  @Test
  void boundsAProgramThatOnlyWritesErrors() throws Exception {
    Started run = started(withTimeLimit(launch("sh", "-c", "exec yes >&2"), SHORT));
    assertEquals(new Ending.TimedOut(SHORT), run.ending());
    assertEquals(MEBIBYTE, Files.size(run.launch().errors()));
    assertTrue(run.errors().startsWith("y\ny\n"));
  }

  @Test
  void stopsRightAfterTheStart() throws Exception {
    List<Started> runs = new ArrayList<>();
    for (int i = 0; i < SHORT_ROUNDS; i++) {
      Started run = started(launch("sleep", "1000"));
      run.execution().stop(SHORT);
      runs.add(run);
    }
    for (Started run : runs) {
      assertEquals(new Ending.Stopped(), run.ending());
    }
  }

  @Test
  void doesNotMindAStopAfterTheEnd() throws Exception {
    Started run = started(launch("true"));
    assertEquals(new Ending.Exited(0), run.ending());
    run.execution().stop(SHORT);
    assertEquals(new Ending.Exited(0), started(launch("true")).ending());
    assertTrue(run.endings.isEmpty(), "the end was told again");
  }

  @Test
  void tellsTheSignalOfAnother() throws Exception {
    assertEquals(new Ending.Signalled(9), shell("kill -9 $$").ending());
    assertEquals(new Ending.Signalled(11), shell("kill -11 $$").ending());
  }

  @Test
  void stopsATreeThatIgnoresTheRequestToEnd() throws Exception {
    Started run =
        shell("trap '' TERM; (trap '' TERM; sleep 1000) & echo $!; echo $$; sleep 1000; wait");
    List<Long> processes = processes(run, 2);
    run.execution().stop(SHORT);
    run.execution().stop(SHORT);
    assertEquals(new Ending.Stopped(), run.ending());
    assertGone(processes);
  }

  @Test
  void givesTimeToEndInOrder() throws Exception {
    Started run = shell("trap 'echo saved; exit 0' TERM; echo ready; while :; do sleep 0.05; done");
    await().until(() -> run.output().contains("ready"));
    run.execution().stop(Duration.ofSeconds(20));
    assertEquals(new Ending.Stopped(), run.ending());
    assertTrue(run.output().contains("saved"), run.output());
  }

  @Test
  void stopsWhatMadeItsOwnSession() throws Exception {
    Started run = shell("setsid sh -c 'echo $$; exec sleep 1000' & echo $$; sleep 1000");
    List<Long> processes = processes(run, 2);
    run.execution().stop(SHORT);
    assertEquals(new Ending.Stopped(), run.ending());
    assertGone(processes);
  }

  @Test
  void endsWhatIsLeftAfterAnExit() throws Exception {
    Started run = shell("nohup sleep 1000 >/dev/null 2>&1 & echo $!; exit 4");
    assertEquals(new Ending.Exited(4), run.ending());
    assertGone(processes(run, 1));
  }

  @Test
  void endsADaemonThatIsLeftAfterAnExit() throws Exception {
    Started run = shell("setsid sh -c 'echo $$; exec sleep 1000' & sleep 0.5; exit 5");
    assertEquals(new Ending.Exited(5), run.ending());
    assertGone(processes(run, 1));
  }

  @Test
  void tellsTheEndOfAShortRunWhenItsDaemonIsGone() throws Exception {
    for (int round = 0; round < SHORT_ROUNDS; round++) {
      Launch launch = launch("sh", "-c", "setsid sh -c 'sleep 1000' & exit 6");
      BlockingQueue<Long> left = new LinkedBlockingQueue<>();
      executor().start(launch, ending -> left.add(marked(launch)));
      Long count = left.poll(20, TimeUnit.SECONDS);
      // Whether the daemon came to make its session or not, nothing may be left.
      assertEquals(0L, count, "round " + round + ": still running when the end was told");
    }
  }

  @Test
  void tellsTheEndOfManyShortRunsAtOnceWhenTheirDaemonsAreGone() throws Exception {
    List<BlockingQueue<Long>> all = new ArrayList<>();
    for (int i = 0; i < SHORT_ROUNDS; i++) {
      Launch launch = launch("setsid", "sh", "-c", "sleep 1000 & setsid sleep 1000 & exit 0");
      BlockingQueue<Long> left = new LinkedBlockingQueue<>();
      all.add(left);
      executor().start(launch, ending -> left.add(marked(launch)));
    }
    for (BlockingQueue<Long> left : all) {
      assertEquals(0L, left.poll(30, TimeUnit.SECONDS), "still running when the end was told");
    }
  }

  @Test
  void endsWhatRunsTooLong() throws Exception {
    Launch launch = launch("sleep", "1000");
    long begin = System.nanoTime();
    Started run = started(withTimeLimit(launch, SHORT));
    assertEquals(new Ending.TimedOut(SHORT), run.ending());
    long taken = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    assertTrue(taken >= 300 && taken < 10_000, taken + " ms");
  }

  @Test
  void endsWhatWritesTooMuch() throws Exception {
    Started run = started(launch("yes"));
    assertEquals(new Ending.TooMuchOutput(MEBIBYTE), run.ending());
    assertTrue(Files.size(run.launch().output()) <= MEBIBYTE);
    Started shortRun = shell("head -c 1048577 /dev/zero");
    assertEquals(new Ending.TooMuchOutput(MEBIBYTE), shortRun.ending());
    Started exact = shell("head -c 1048576 /dev/zero");
    assertEquals(new Ending.Exited(0), exact.ending());
    assertEquals(MEBIBYTE, Files.size(exact.launch().output()));
  }

  @Test
  void discardsTheRestOfStandardError() throws Exception {
    Started run = shell("echo first >&2; head -c 5000000 /dev/zero >&2; echo done");
    assertEquals(new Ending.Exited(0), run.ending());
    assertEquals("done\n", run.output());
    assertEquals(MEBIBYTE, Files.size(run.launch().errors()));
    assertTrue(run.errors().startsWith("first\n"));
  }

  @Test
  void givesTheInput() throws Exception {
    Path input = Files.writeString(folder.resolve("input"), "some input\n");
    Launch launch = launch("cat");
    Started run = started(copy(launch, launch.environment(), Optional.of(input), launch.folder()));
    assertEquals(new Ending.Exited(0), run.ending());
    assertEquals("some input\n", run.output());
    Started empty = started(launch("cat"));
    assertEquals(new Ending.Exited(0), empty.ending());
    assertEquals("", empty.output());
  }

  @Test
  void setsEnvironmentAndWorkingFolder() throws Exception {
    Launch launch = launch("sh", "-c", "echo \"$COLOUR $WEFT_NODE $PATH\"; pwd -P");
    TreeMap<String, String> environment = new TreeMap<>();
    environment.put("COLOUR", "light green");
    Path work = Files.createDirectories(folder.resolve("work here"));
    Started run = started(copy(launch, environment, Optional.empty(), work));
    assertEquals(new Ending.Exited(0), run.ending());
    String path = System.getenv("PATH");
    assertEquals(
        "light green " + launch.node().hex() + " " + path + "\n" + work.toRealPath() + "\n",
        run.output());
  }

  @Test
  void saysWhyNothingStarted() throws Exception {
    assertNotStarted(launch("no-such-program-here"), "no-such-program-here");
    assertNotStarted(launch("/no/such/program"), "/no/such/program");
    Path plain = Files.writeString(folder.resolve("plain"), "text");
    assertNotStarted(launch(plain.toString()), plain.toString());
    assertNotStarted(launch(folder.toString()), folder.toString());
    Launch launch = launch("true");
    assertNotStarted(
        copy(launch, launch.environment(), Optional.empty(), folder.resolve("absent")), "absent");
    assertNotStarted(
        copy(launch, launch.environment(), Optional.of(folder.resolve("gone")), folder), "gone");
  }

  @Test
  void looksForTheProgramInThePathOfTheTask() throws Exception {
    Path programs = Files.createDirectories(folder.resolve("programs"));
    Path own = Files.writeString(programs.resolve("my-own"), "#!/bin/sh\necho mine\n");
    assertTrue(own.toFile().setExecutable(true));
    Launch launch = launch("my-own");
    TreeMap<String, String> environment = new TreeMap<>();
    environment.put("PATH", programs.toString());
    Started run = started(copy(launch, environment, Optional.empty(), launch.folder()));
    assertEquals(new Ending.Exited(0), run.ending());
    assertEquals("mine\n", run.output());
  }

  @Test
  void stopsManyInBoundedTime() throws Exception {
    List<Started> runs = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      runs.add(started(launch("sleep", "1000")));
    }
    long begin = System.nanoTime();
    runs.forEach(run -> run.execution().stop(SHORT));
    for (Started run : runs) {
      assertEquals(new Ending.Stopped(), run.ending());
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
    assertTrue(seconds < 30, "stopping " + MANY + " runs took " + seconds + " s");
  }

  private void assertNotStarted(Launch launch, String named) throws InterruptedException {
    Ending.NotStarted ending = assertInstanceOf(Ending.NotStarted.class, started(launch).ending());
    assertTrue(ending.reason().contains(named), ending.reason());
  }

  private static Launch withTimeLimit(Launch launch, Duration limit) {
    return new Launch(
        launch.attempt(),
        launch.node(),
        launch.arguments(),
        launch.environment(),
        launch.folder(),
        launch.workingFolder(),
        launch.input(),
        launch.output(),
        launch.outputLimit(),
        launch.errors(),
        launch.errorsLimit(),
        limit,
        launch.grace());
  }

  private static Launch copy(
      Launch launch, SortedMap<String, String> environment, Optional<Path> input, Path work) {
    return new Launch(
        launch.attempt(),
        launch.node(),
        launch.arguments(),
        environment,
        launch.folder(),
        work,
        input,
        launch.output(),
        launch.outputLimit(),
        launch.errors(),
        launch.errorsLimit(),
        launch.timeLimit(),
        launch.grace());
  }

  /** Waits until the run has written the numbers of so many processes. */
  private static List<Long> processes(Started run, int count) {
    await().until(() -> run.output().endsWith("\n") && run.output().lines().count() >= count);
    try {
      return run.output().lines().map(Long::valueOf).toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertGone(List<Long> processes) {
    for (long pid : processes) {
      assertTrue(!runs(pid), "process " + pid + " still runs");
    }
  }

  /** How many living processes work in the folder of a launch. */
  private static long marked(Launch launch) {
    return ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .filter(ExecutorContract::runs)
        .filter(pid -> worksIn(pid, launch.workingFolder()))
        .count();
  }

  private static boolean worksIn(long pid, Path folder) {
    try {
      return Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "cwd")).equals(folder);
    } catch (IOException gone) {
      return false;
    }
  }

  /** Whether a process lives; a zombie does not. */
  protected static boolean runs(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
    } catch (IOException gone) {
      return false;
    }
  }
}
