package dev.weft.itests.launch;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starting and stopping a process. */
class LaunchTest {
  private static final int TERMINATED = 143;

  @TempDir Path folder;

  @Test
  void stopsCleanlyAndFreesItsDataDirectory() throws Exception {
    String data = folder.resolve("data").toString();
    Process first = startAgent(data);
    LaunchedProcess.Result second = LaunchedProcess.run("agent", "--data", data, "--etc", etc());
    assertEquals(1, second.exitCode());
    assertTrue(
        second.output().contains("another process uses the data directory " + data),
        second.output());
    stop(first);
    stop(startAgent(data));
  }

  @Test
  void aLongDataPathStillHasASocket() throws Exception {
    Path data = folder.resolve("a".repeat(60)).resolve("b".repeat(60));
    Process manager = start("manager", data.toString());
    Path socket = Path.of(Files.readString(data.resolve("socket")).strip());
    assertTrue(Files.exists(socket), socket.toString());
    assertTrue(socket.toString().length() <= 100, socket.toString());
    LaunchedProcess.Result status = LaunchedProcess.run("status", "--data", data.toString());
    assertEquals(0, status.exitCode(), status.output());
    stop(manager);
  }

  @Test
  void whatIsNotKnownIsSaid() throws Exception {
    LaunchedProcess.Result result = LaunchedProcess.run("manager", "--dta", "x");
    assertEquals(1, result.exitCode());
    assertTrue(result.output().contains("unknown option '--dta'"), result.output());
    assertEquals(0, LaunchedProcess.run("agent", "--help").exitCode());
    LaunchedProcess.Result profile = LaunchedProcess.run("agnet", "--data", "x");
    assertEquals(1, profile.exitCode(), profile.output());
    assertTrue(profile.output().contains("agnet"), profile.output());
  }

  @Test
  void foldersAreChecked() throws Exception {
    String data = folder.resolve("data").toString();
    String none = folder.resolve("none").toString();
    LaunchedProcess.Result etc = LaunchedProcess.run("agent", "--data", data, "--etc", none);
    assertEquals(78, etc.exitCode(), etc.output());
    assertTrue(
        etc.output()
            .contains("there is no folder " + none + " with a configuration; make it (it may be"),
        etc.output());

    LaunchedProcess.Result readOnly =
        LaunchedProcess.run("agent", "--data", "/proc/weft", "--etc", etc());
    assertEquals(1, readOnly.exitCode(), readOnly.output());
    assertTrue(
        readOnly.output().contains("cannot use the data directory /proc/weft"), readOnly.output());

    LaunchedProcess.Result comma = LaunchedProcess.run("agent", "--data", "a,b");
    assertEquals(1, comma.exitCode(), comma.output());
    assertTrue(
        comma.output().contains("--data a,b: expected a path without commas"), comma.output());
    assertFalse(Files.exists(Path.of(data)), "a wrong start leaves nothing behind");
  }

  @Test
  void canBeStoppedBeforeItIsReady() throws Exception {
    Path data = folder.resolve("data");
    Process agent = LaunchedProcess.start("agent", "--data", data.toString(), "--etc", etc());
    await().atMost(Duration.ofSeconds(10)).until(() -> Files.exists(data.resolve("lock")));
    // Not through the process itself: that would close its output too.
    agent.toHandle().destroy();
    String output = new String(agent.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    stop(agent);
    assertFalse(output.contains("Exception in thread"), output);
    stop(startAgent(data.toString()));
  }

  @Test
  void pathsMayHaveSpaces() throws Exception {
    stop(startAgent(folder.resolve("a folder & 100%").toString()));
  }

  @Test
  void withoutAManagerTheClientSaysWhatToDo() throws Exception {
    LaunchedProcess.Result result =
        LaunchedProcess.run("job", "list", "--data", folder.resolve("none").toString());
    assertEquals(1, result.exitCode());
    assertTrue(result.output().contains("no manager is running here"), result.output());
    assertTrue(result.output().contains("weft manager"), result.output());
  }

  private String etc() throws IOException {
    Path etc = Files.createDirectories(folder.resolve("etc"));
    Files.writeString(etc.resolve("weft.bus.cfg"), "port = 0\ndiscovery = false\n");
    return etc.toString();
  }

  private Process startAgent(String data) throws IOException {
    return start("agent", data);
  }

  private Process start(String profile, String data) throws IOException {
    Process process = LaunchedProcess.start(profile, "--data", data, "--etc", etc());
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    StringBuilder printed = new StringBuilder();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              String line = output.readLine();
              printed.append(line).append('\n');
              return line == null || line.contains("is up after");
            });
    assertTrue(process.isAlive(), printed.toString());
    return process;
  }

  private static void stop(Process process) {
    process.destroy();
    await().atMost(Duration.ofSeconds(10)).until(() -> !process.isAlive());
    assertEquals(TERMINATED, process.exitValue());
  }
}
