package dev.weft.shell.client;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.shell.console.TestGogo;
import dev.weft.shell.fake.FakeServices;
import dev.weft.shell.fake.Samples;
import dev.weft.shell.fake.TestManager;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Gogo console through client and socket: the whole way but a real terminal. */
class ConsoleTest {
  @TempDir private Path folder;
  private final FakeServices services = new FakeServices();
  private TestGogo gogo;
  private TestManager manager;

  @BeforeEach
  void start() throws IOException {
    gogo = new TestGogo(services);
    manager = new TestManager(gogo.console(folder));
  }

  @AfterEach
  void stop() throws IOException {
    manager.close();
    gogo.close();
  }

  /** A user at a terminal. */
  private final class User {
    private final PipedOutputStream keyboard = new PipedOutputStream();
    private final ClientRun run;

    User() throws IOException {
      run =
          ClientRun.start(
              manager.data(),
              new FakeTerminal(true),
              new PipedInputStream(keyboard, 10_000),
              "shell");
      run.awaitOutput("weft> ");
    }

    void awaitPrompt() {
      await().atMost(Duration.ofSeconds(20)).until(() -> run.output().endsWith("weft> "));
    }

    void type(String keys) throws IOException {
      keyboard.write(keys.getBytes(StandardCharsets.UTF_8));
      keyboard.flush();
    }
  }

  @Test
  void runsCommandsAndLeavesWithExit() throws IOException {
    User user = new User();
    user.type("nodes\r");
    user.run.awaitOutput("b2b2b2b2  beta");
    assertTrue(user.run.output().contains("\r\n"), "raw mode needs carriage returns");
    user.type("echo hel''lo\r");
    user.run.awaitOutput("hello\r\n");
    user.type("exit\r");
    assertEquals(0, user.run.exitCode());
    assertTrue(user.run.terminal().isRestored());
    assertTrue(Files.readString(folder.resolve("history")).contains("nodes"));
  }

  @Test
  void leavesWithControlD() throws IOException {
    User user = new User();
    user.type("\u0004");
    assertEquals(0, user.run.exitCode());
  }

  @Test
  void completesIds() throws IOException {
    services.jobs().put(Samples.failed(Samples.id("1a2b3c4d")));
    User user = new User();
    user.type("job 1\t");
    user.run.awaitOutput("1a2b3c4d");
    user.type("\r");
    user.run.awaitOutput("task 3 failed too often");
    user.type("node a\t\r");
    user.run.awaitOutput("Cortex-A76");
    user.type("\u0004");
    assertEquals(0, user.run.exitCode());
  }

  @Test
  void controlCCancelsTheLineAndEndsAWatch() throws IOException {
    Path file = Files.writeString(folder.resolve("count.yaml"), "x");
    User user = new User();
    user.type("echo garbage");
    user.run.awaitOutput("garbage");
    user.type("\u0003");
    user.awaitPrompt();
    user.type("run --placement-wait 600 " + file + "\r");
    await().atMost(Duration.ofSeconds(20)).until(() -> services.jobs().watches() == 1);
    user.run.awaitOutput("0/4 done");
    user.type("\u0003");
    user.run.awaitOutput("job 1a2b3c40 goes on");
    await().atMost(Duration.ofSeconds(20)).until(() -> services.jobs().watches() == 0);
    user.awaitPrompt();
    user.type("echo aft''er\r");
    user.run.awaitOutput("after\r\n");
    assertFalse(user.run.output().contains("\ngarbage"), user.run.output());
    user.type("exit\r");
    assertEquals(0, user.run.exitCode());
  }

  @Test
  void errorsAreShownWithoutClassNames() throws IOException {
    User user = new User();
    user.type("job ff\r");
    user.run.awaitOutput("no job has an id that starts with 'ff'");
    user.type("exit\r");
    assertEquals(0, user.run.exitCode());
    assertFalse(user.run.output().contains("CommandException"), user.run.output());
  }

  @Test
  void aWindowThatChangesIsTold() throws IOException {
    User user = new User();
    user.run.terminal().resize(77);
    user.type("echo is $COLUMNS wide\r");
    user.run.awaitOutput("is 77 wide");
    user.type("exit\r");
    assertEquals(0, user.run.exitCode());
  }

  @Test
  void runsCommandsWithoutATerminal() {
    ClientRun one = ClientRun.start(manager.data(), "", "shell", "-c", "nodes | grep beta");
    assertEquals(0, one.exitCode());
    assertEquals(1, one.output().lines().count(), one.output());
    ClientRun input = ClientRun.start(manager.data(), "echo one\njob ff\necho two\n", "shell");
    assertEquals(1, input.exitCode());
    assertEquals("one\n", input.output());
    assertEquals(
        "weft: no job has an id that starts with 'ff': 'weft job list --all' shows them\n",
        input.errors());
    ClientRun unknown = ClientRun.start(manager.data(), "", "shell", "-c", "nonsense");
    assertEquals(1, unknown.exitCode());
    assertTrue(unknown.errors().contains("nonsense"), unknown.errors());
  }

  @Test
  void nodesAreTakenOutOfUseInTheConsole() {
    ClientRun run =
        ClientRun.start(
            manager.data(),
            "",
            "shell",
            "-c",
            "weft:buffer; node drain alpha --detach; drain alpha --stop;"
                + " eligibility alpha --disable");
    assertEquals(0, run.exitCode());
    assertTrue(run.output().startsWith("Slots (m)          64\n"), run.output());
    assertTrue(
        run.output()
            .endsWith(
                "may get tasks again\nnode alpha (a1a1a1a1) gets no more tasks; what it runs goes on\n"),
        run.output());
  }

  @Test
  void aScriptEndsAtAnInterrupt() {
    ClientRun run = ClientRun.start(manager.data(), "", "shell", "-c", "echo begun; sleep 60");
    run.awaitOutput("begun");
    run.terminal().pressCtrlC();
    assertEquals(130, run.exitCode());
  }

  @Test
  void helpListsWeftsCommands() {
    ClientRun all = ClientRun.start(manager.data(), "", "shell", "-c", "help");
    assertEquals(0, all.exitCode());
    assertTrue(all.output().contains("policies"), all.output());
    ClientRun one = ClientRun.start(manager.data(), "", "shell", "-c", "help weft:why");
    assertTrue(one.exitCode() == 0 && one.output().contains("Usage: weft job why"), one.output());
  }

  @Test
  void theConsoleStaysUsableWhenAClientGoesAway() throws IOException {
    User gone = new User();
    gone.run.terminal().pressCtrlC();
    gone.run.terminal().pressCtrlC();
    gone.run.exitCode();
    await().atMost(Duration.ofSeconds(20)).until(() -> manager.server().sessions() == 0);
    User next = new User();
    next.type("exit\r");
    assertEquals(0, next.run.exitCode());
  }
}
