package dev.weft.process;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.NodeId;
import dev.weft.api.execution.Executor;
import dev.weft.api.execution.Executor.Ending;
import dev.weft.testkit.Needs;
import dev.weft.testkit.execution.ExecutorContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProcessExecutorTest extends ExecutorContract {
  // Of this test only, so that what another run left is not counted.
  private final NodeId node = randomNode();
  private final NodeId other = randomNode();
  private final ProcessExecutor executor = new ProcessExecutor();
  private final List<Process> others = new ArrayList<>();

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
  void closingEndsWhatRuns() throws Exception {
    Started run = shell("trap '' TERM; echo ready; sleep 1000; sleep 1000");
    await().until(() -> Files.size(run.launch().output()) > 0);
    executor.close();
    assertEquals(new Ending.Stopped(), run.ending());
  }

  @Test
  void startsManyShortProgramsFast() throws Exception {
    long begin = System.nanoTime();
    List<Started> runs = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      runs.add(started(launch("true")));
    }
    for (Started run : runs) {
      assertInstanceOf(Ending.Exited.class, run.ending());
    }
    long millis = Duration.ofNanos(System.nanoTime() - begin).toMillis();
    System.out.println("500 runs of true: " + millis + " ms");
    assertTrue(millis < 20_000, millis + " ms");
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
