package dev.weft.shell.client;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import dev.weft.api.NodeId;
import dev.weft.core.job.JobService;
import dev.weft.shell.fake.FakeConsole;
import dev.weft.shell.fake.TestManager;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jline.utils.Signals;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The client as a process, with no more on its class path than the start script gives it. */
class ClientProcessTest {
  private static final long INTERRUPT = 1 << (2 - 1);

  static Process weft(TestManager manager, String... arguments) throws IOException {
    return new ProcessBuilder(command(manager, arguments)).start();
  }

  static List<String> command(TestManager manager, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(),
                Client.class.getName(),
                "--data",
                manager.data().toString()));
    command.addAll(List.of(arguments));
    return command;
  }

  private static String classPath() {
    List<Class<?>> classes =
        List.of(
            Client.class,
            NodeId.class,
            JobService.class,
            CommandLine.class,
            Signals.class,
            JsonFactory.class);
    return classes.stream()
        .map(ClientProcessTest::location)
        .distinct()
        .reduce((a, b) -> a + ":" + b)
        .orElseThrow();
  }

  private static String location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void listsNodesAsAProcess() throws Exception {
    try (TestManager manager = new TestManager(new FakeConsole())) {
      Process process = weft(manager, "node", "list");
      String output = text(process);
      assertTrue(process.waitFor(20, TimeUnit.SECONDS));
      assertEquals(0, process.exitValue());
      assertTrue(output.startsWith("ID        NAME   STATE"), output);
    }
  }

  @Test
  void sigintStopsWatching() throws Exception {
    try (TestManager manager = new TestManager(new FakeConsole())) {
      Process process =
          new ProcessBuilder(interruptible(command(manager, "job", "run", "-"))).start();
      process.getOutputStream().close();
      String first = readLine(process);
      assertTrue(first.startsWith("job 1a2b3c40"), first);
      Process kill = new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start();
      assertEquals(0, kill.waitFor());
      String rest = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(process.waitFor(20, TimeUnit.SECONDS));
      assertTrue(rest.contains("job 1a2b3c40 goes on"), rest);
      assertEquals(130, process.exitValue());
    }
  }

  @Test
  void killedClientLeavesNoWatch() throws Exception {
    try (TestManager manager = new TestManager(new FakeConsole())) {
      Process process = weft(manager, "job", "run", "-");
      process.getOutputStream().close();
      readLine(process);
      await().until(() -> manager.jobs().watches() == 1);
      process.destroyForcibly().waitFor();
      await().until(() -> manager.jobs().watches() == 0);
    }
  }

  /**
   * A shell lets what it starts in the background ignore interrupts, and that is inherited: a build
   * in the background would test a client that nobody can interrupt.
   */
  private static List<String> interruptible(List<String> command) throws IOException {
    long ignored =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
            .findFirst()
            .orElse(0);
    List<String> started = new ArrayList<>();
    if ((ignored & INTERRUPT) != 0) {
      started.addAll(List.of("env", "--default-signal=INT"));
    }
    started.addAll(command);
    return started;
  }

  private static String text(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static String readLine(Process process) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = process.getErrorStream().read(); c >= 0 && c != '\n'; ) {
      line.append((char) c);
      c = process.getErrorStream().read();
    }
    return line.toString();
  }
}
