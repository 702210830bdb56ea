package dev.weft.process;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.NodeId;
import dev.weft.api.execution.Executor;
import dev.weft.api.execution.Executor.Ending;
import dev.weft.api.execution.Executor.Launch;
import dev.weft.testkit.Needs;
import dev.weft.testkit.execution.ExecutorContract;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What must hold however processes are started. */
abstract class ProcessExecutorCases extends ExecutorContract {
  // Of this test only, so that what another run left is not counted.
  private final NodeId node = randomNode();
  private final NodeId other = randomNode();
  private final ProcessExecutor executor = new ProcessExecutor(Optional.of(starter()));
  private final List<Process> others = new ArrayList<>();

  /** What starts the processes. */
  abstract Starter starter();

  @Override
  protected Executor executor() {
    return executor;
  }

  @BeforeEach
  void needs() {
    Needs.program("setsid");
  }

  @AfterEach
  void close() {
    if (!others.isEmpty()) {
      executor.endRemains(node);
      executor.endRemains(other);
    }
    executor.close();
    others.forEach(Process::destroyForcibly);
  }

  @Test
  void endsRemainsOfThisNodeOnly() throws Exception {
    Process first = marked(node, "trap '' TERM; sleep 1000 & echo $!; sleep 1000; sleep 1000");
    Process second = marked(node, "env -u WEFT_NODE sleep 1000 & echo $!; wait");
    Process another = marked(other, "sleep 1000 & echo $!; wait");
    long firstChild = child(first);
    long secondChild = child(second);
    long otherChild = child(another);
    // Two shells, their children in the background, and the one that the first shell waits for.
    assertEquals(5, executor.endRemains(node));
    for (long pid : List.of(first.pid(), firstChild, second.pid(), secondChild)) {
      assertFalse(runs(pid), "process " + pid + " still runs");
    }
    assertTrue(runs(another.pid()) && runs(otherChild));
    assertEquals(0, executor.endRemains(node));
    assertEquals(2, executor.endRemains(other));
  }

  @Test
  void aMarkedProcessInAnotherSessionIsEndedAlone() throws Exception {
    Process plain = new ProcessBuilder("sleep", "1000").start();
    others.add(plain);
    ProcessBuilder builder = new ProcessBuilder("sleep", "1000");
    builder.environment().put("WEFT_NODE", node.hex());
    Process marked = builder.start();
    others.add(marked);
    await().until(() -> environment(marked).contains(node.hex()));
    assertEquals(1, executor.endRemains(node));
    assertTrue(plain.isAlive());
  }

  @Test
  void leavesOutWhatBelongsToTheShellOfTheAgent() throws Exception {
    Launch launch = launch("env");
    Started run = started(launch);
    assertEquals(new Ending.Exited(0), run.ending());
    List<String> variables = Files.readAllLines(launch.output());
    assertTrue(variables.contains("PWD=" + launch.workingFolder()), variables::toString);
    assertTrue(variables.stream().noneMatch(line -> line.startsWith("OLDPWD=")));
  }

  @Test
  void leavesNoZombie() throws Exception {
    Started run = shell("setsid sh -c 'echo $$; exec sleep 1000' & sleep 0.5");
    assertEquals(new Ending.Exited(0), run.ending());
    long daemon = Long.parseLong(Files.readString(run.launch().output()).strip());
    await().until(() -> ProcessHandle.of(daemon).isEmpty());
  }

  @Test
  void closingEndsWhatRuns() throws Exception {
    Started run = shell("trap '' TERM; echo ready; sleep 1000; sleep 1000");
    await().until(() -> Files.size(run.launch().output()) > 0);
    executor.close();
    assertEquals(new Ending.Stopped(), run.ending());
  }

  @Test
  void runsManyShortPrograms() throws Exception {
    List<Started> runs = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      runs.add(started(launch("true")));
    }
    for (Started run : runs) {
      assertEquals(new Ending.Exited(0), run.ending());
    }
  }

  @Test
  void saysThatTheInterpreterOfAScriptIsAbsent() throws Exception {
    Path script = Files.writeString(folder.resolve("script"), "#!/no/such/interpreter\n");
    assertTrue(script.toFile().setExecutable(true));
    Ending ending = started(launch(script.toString())).ending();
    String reason = assertInstanceOf(Ending.NotStarted.class, ending).reason();
    assertTrue(reason.startsWith("cannot start '" + script + "': "), reason);
    assertTrue(reason.endsWith("No such file or directory"), reason);
    assertEquals(new Ending.Exited(127), shell("echo oops >&2; exit 127").ending());
  }

  @Test
  void saysThatTheOutputCannotBeWritten() throws Exception {
    Launch launch = launch("true");
    Files.createDirectory(launch.output());
    Ending ending = started(launch).ending();
    String reason = assertInstanceOf(Ending.NotStarted.class, ending).reason();
    assertTrue(reason.contains(launch.output().toString()), reason);
  }

  /** The agent's JVM is killed: its second life finds all that the first one had started. */
  @Test
  void endsWhatAKilledAgentLeft() throws Exception {
    Process agent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx32m",
                "-cp",
                System.getProperty("java.class.path"),
                ShortLife.class.getName(),
                node.hex(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    others.add(agent);
    List<Long> left = new ArrayList<>();
    try (BufferedReader lines = agent.inputReader()) {
      for (int i = 0; i < ShortLife.PROCESSES; i++) {
        left.add(Long.parseLong(String.valueOf(lines.readLine())));
      }
    }
    agent.destroyForcibly().waitFor();
    assertEquals(ShortLife.PROCESSES, left.stream().filter(pid -> runs(pid)).count());
    assertEquals(ShortLife.PROCESSES, executor.endRemains(node));
    assertEquals(0, left.stream().filter(pid -> runs(pid)).count());
  }

  private Process marked(NodeId node, String script) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("setsid", "sh", "-c", script);
    builder.environment().put("WEFT_NODE", node.hex());
    Process process = builder.start();
    others.add(process);
    return process;
  }

  private static NodeId randomNode() {
    String half = UUID.randomUUID().toString().replace("-", "");
    return new NodeId(half + half);
  }

  private static long child(Process process) throws Exception {
    return Long.parseLong(process.inputReader().readLine());
  }

  private static String environment(Process process) throws Exception {
    return Files.readString(Path.of("/proc", Long.toString(process.pid()), "environ"));
  }
}
