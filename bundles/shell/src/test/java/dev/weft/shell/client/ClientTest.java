package dev.weft.shell.client;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.JobId;
import dev.weft.core.job.JobSource;
import dev.weft.shell.fake.FakeConsole;
import dev.weft.shell.fake.Samples;
import dev.weft.shell.fake.TestManager;
import dev.weft.shell.server.SocketServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients and a manager over a real socket. */
class ClientTest {
  private static final JobId FIRST = Samples.id("1a2b3c40");

  private TestManager manager;

  @BeforeEach
  void start() throws IOException {
    manager = new TestManager(new FakeConsole());
  }

  @AfterEach
  void stop() throws IOException {
    manager.close();
  }

  private ClientRun weft(String input, String... arguments) {
    return ClientRun.start(manager.data(), input, arguments);
  }

  private void awaitWatches(int number) {
    await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(10))
        .until(() -> manager.jobs().watches() == number);
  }

  private void awaitNoSession() {
    await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(10))
        .until(() -> connections() == 0);
  }

  private int connections() {
    return manager.server().sessions();
  }

  @Test
  void runsAJobFromStandardInputAndPrintsItsResult(@TempDir Path folder) throws IOException {
    manager
        .jobs()
        .putResult(FIRST, Files.writeString(folder.resolve("result"), "merged\n".repeat(50_000)));
    ClientRun run = weft("name: käse\n", "job", "run", "-");
    awaitWatches(1);
    manager.jobs().put(Samples.running(FIRST));
    manager.jobs().put(Samples.completed(FIRST, Optional.empty()));
    assertEquals(0, run.exitCode());
    assertEquals("merged\n".repeat(50_000), run.output());
    assertTrue(run.errors().startsWith("job " + FIRST.hex() + "\n"), run.errors());
    assertTrue(run.errors().endsWith("job 1a2b3c40 completed: 10 tasks in 10 s\n"), run.errors());
    assertEquals(
        List.of(
            new JobSource("-", "name: käse\n", Path.of("/tmp"), System.getProperty("user.name"))),
        manager.jobs().submitted());
    awaitWatches(0);
  }

  @Test
  void saysWhereTheOutputIs() {
    ClientRun run = weft("x", "job", "run", "--quiet", "-");
    ClientRun loud = weft("x", "job", "run", "-");
    awaitWatches(2);
    manager.jobs().put(Samples.completed(FIRST, Optional.of(Path.of("/data/out.csv"))));
    manager
        .jobs()
        .put(Samples.completed(Samples.id("1a2b3c41"), Optional.of(Path.of("/data/out.csv"))));
    assertEquals(0, run.exitCode());
    assertEquals(0, loud.exitCode());
    assertEquals("", run.output() + loud.output());
    String said = run.errors() + loud.errors();
    assertTrue(said.contains("The result is in /data/out.csv\n"), said);
    assertEquals(1, said.split("The result is in", -1).length - 1);
  }

  @Test
  void readsAJobFileRelativeToItself(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("count.yaml"), "name: count\n".repeat(15_000));
    assertEquals(0, weft("", "job", "run", "--detach", file.toString()).exitCode());
    JobSource source = manager.jobs().submitted().get(0);
    assertEquals(file.toString(), source.name());
    assertEquals(folder, source.folder());
    assertEquals(180_000, source.text().length());
  }

  @Test
  void refusesWhatCannotBeAJobFile(@TempDir Path folder) throws IOException {
    Path binary = Files.write(folder.resolve("binary"), new byte[] {'a', (byte) 0xff});
    Path large = Files.writeString(folder.resolve("large"), "x".repeat(262_145));
    Map<String, String> expected =
        Map.of(
            binary.toString(),
            binary + " is not UTF-8 text: save the job file in UTF-8",
            large.toString(),
            large
                + " is too long for a job file: at most 262144 characters; put data into files that"
                + " the job names",
            folder.toString(),
            folder + " is a folder: name the job file in it",
            folder + "/none",
            "there is no job file " + folder + "/none");
    expected.forEach(
        (file, message) -> {
          ClientRun run = weft("", "job", "validate", file);
          assertEquals(1, run.exitCode());
          assertEquals("weft: " + message + "\n", run.errors());
        });
  }

  @Test
  void showsProgressOnATerminalAndClearsIt() {
    ClientRun run =
        ClientRun.start(
            manager.data(),
            new FakeTerminal(true),
            new ByteArrayInputStream(new byte[0]),
            "job",
            "run",
            "-");
    awaitWatches(1);
    manager.jobs().put(Samples.running(FIRST));
    run.awaitErrors("5/10 done, 2 running, 3 waiting, 0 failed");
    run.terminal().resize(30);
    run.awaitErrors("\r1a2b3c40 running: 5/10 don...\u001b[K");
    manager.jobs().put(Samples.cancelled(FIRST));
    assertEquals(1, run.exitCode());
    assertTrue(run.errors().endsWith("\r\u001b[Kjob 1a2b3c40 was cancelled\n"), run.errors());
  }

  @Test
  void tellsHowAJobFailed() {
    ClientRun run = weft("x", "job", "run", "--quiet", "-");
    awaitWatches(1);
    manager.jobs().putTasks(FIRST, Samples.tasks(FIRST));
    manager.jobs().put(Samples.failed(FIRST));
    assertEquals(1, run.exitCode());
    assertEquals(
        """
        job 1a2b3c40 failed
        Task 3 failed on beta (b2b2b2b2), try 2: the command ended with exit code 3
        Its standard error ended with:
          cut: bad field
          awk: cannot open ?[31mx
        See what it wrote with: weft job logs 1a2b3c40 3 --stream errors, all tasks with: weft job status --tasks 1a2b3c40
        """,
        run.errors());
  }

  @Test
  void anInterruptStopsWatchingAndNotTheJob() {
    ClientRun run = weft("x", "job", "run", "-");
    awaitWatches(1);
    run.terminal().pressCtrlC();
    assertEquals(130, run.exitCode());
    assertTrue(
        run.errors()
            .endsWith(
                "job 1a2b3c40 goes on; follow it again with: weft job watch 1a2b3c40, stop it"
                    + " with: weft job cancel 1a2b3c40\n"),
        run.errors());
    awaitWatches(0);
    assertFalse(manager.jobs().job(FIRST).orElseThrow().state().isFinal());
  }

  @Test
  void followsEveryStepAndPrintsTheLastResult(@TempDir Path folder) throws IOException {
    JobId second = Samples.id("1a2b3c41");
    manager.jobs().putResult(FIRST, Files.writeString(folder.resolve("first"), "not this\n"));
    manager.jobs().putResult(second, Files.writeString(folder.resolve("second"), "merged\n"));
    ClientRun run = weft("steps", "job", "run", "-");
    awaitWatches(1);
    run.awaitErrors("count words 1a2b3c40 pending: 0/4 done");
    manager.jobs().put(Samples.completed(FIRST, Optional.empty()));
    run.awaitErrors("count words 1a2b3c41 pending: needs job 1a2b3c40, not completed yet\n");
    manager.jobs().put(Samples.completed(second, Optional.empty()));
    assertEquals(0, run.exitCode());
    assertEquals("merged\n", run.output());
    assertEquals(
        """
        job 1a2b3c40000000000000000000000000  count words
        job 1a2b3c41000000000000000000000000  count words
        count words 1a2b3c40 pending: 0/4 done, 0 running, 4 waiting, 0 failed
        job 1a2b3c40 completed: 10 tasks in 10 s
        count words 1a2b3c41 pending: needs job 1a2b3c40, not completed yet
        job 1a2b3c41 completed: 10 tasks in 10 s
        """,
        run.errors());
  }

  @Test
  void stopsFollowingWithTheStepThatFails() {
    ClientRun run = weft("steps", "job", "run", "--quiet", "-");
    awaitWatches(1);
    manager.jobs().put(Samples.failed(FIRST));
    assertEquals(1, run.exitCode());
    assertEquals("job 1a2b3c40 failed: task 3 failed too often [task.failed]\n", run.errors());
    ClientRun interrupted = weft("steps", "job", "run", "--quiet", "-");
    awaitWatches(1);
    interrupted.terminal().pressCtrlC();
    assertEquals(130, interrupted.exitCode());
    assertEquals(
        "The jobs go on; follow the last again with: weft job watch 1a2b3c43, stop all with: weft"
            + " job cancel 1a2b3c42 1a2b3c43\n",
        interrupted.errors());
  }

  @Test
  void printsTheFinalJobAsJson() {
    ClientRun run = weft("x", "job", "run", "--json", "-");
    awaitWatches(1);
    manager.jobs().put(Samples.completed(FIRST, Optional.empty()));
    assertEquals(0, run.exitCode());
    assertTrue(run.output().startsWith("{\n  \"id\" : \"" + FIRST.hex()), run.output());
    assertTrue(run.output().contains("\"state\" : \"COMPLETED\""), run.output());
  }

  @Test
  void twoClientsDoNotDisturbEachOther() {
    ClientRun one = weft("x", "job", "run", "--quiet", "-");
    awaitWatches(1);
    ClientRun two = weft("x", "job", "run", "--quiet", "-");
    awaitWatches(2);
    two.terminal().pressCtrlC();
    assertEquals(130, two.exitCode());
    awaitWatches(1);
    manager.jobs().put(Samples.cancelled(FIRST));
    assertEquals(1, one.exitCode());
    assertEquals("job 1a2b3c40 was cancelled\n", one.errors());
  }

  @Test
  void anInterruptStopsFollowingADrainAndNotTheDrain() {
    manager.jobs().freezeDrains();
    ClientRun run = weft("", "node", "drain", "alpha");
    run.awaitErrors("1a2b0000/3#1 (count words): running\n");
    run.terminal().pressCtrlC();
    assertEquals(130, run.exitCode());
    assertTrue(
        run.errors()
            .endsWith(
                "The drain of node alpha (a1a1a1a1) goes on; see it with: weft node show a1a1a1a1,"
                    + " end it with: weft node drain a1a1a1a1 --stop\n"),
        run.errors());
    assertTrue(manager.jobs().drain(Samples.ALPHA).isPresent());
  }

  @Test
  void aDrainThatSomebodyElseEndsIsAnError() {
    manager.jobs().freezeDrains();
    ClientRun run = weft("", "node", "drain", "alpha");
    run.awaitErrors("1a2b0000/3#1 (count words): running\n");
    manager.jobs().endDrain(Samples.ALPHA);
    assertEquals(1, run.exitCode());
    assertTrue(run.errors().contains("was ended by somebody else"), run.errors());
  }

  @Test
  void consoleCommandsComeFromAnOptionOrFromStandardInput() {
    ClientRun option = weft("", "shell", "-c", "lb");
    assertEquals(0, option.exitCode());
    assertEquals("ran lb", option.output());
    ClientRun input = weft("lb\nfail\n", "shell");
    assertEquals(1, input.exitCode());
    assertEquals("ran lb\nfail\n", input.output());
    ClientRun waiting = weft("wait\n", "shell");
    waiting.awaitOutput("waiting");
    waiting.terminal().pressCtrlC();
    assertEquals(3, waiting.exitCode());
  }

  @Test
  void putsTheTerminalBackAfterTheConsole() {
    ClientRun run =
        ClientRun.start(
            manager.data(), new FakeTerminal(true), new ByteArrayInputStream(new byte[0]), "shell");
    assertEquals(0, run.exitCode());
    assertEquals("interactive\n", run.output());
    assertEquals(1, run.terminal().rawEntered());
    assertTrue(run.terminal().isRestored());
  }

  @Test
  void aBugIsReportedAndHarmsNobody() {
    ClientRun run = weft("", "shell", "-c", "broken");
    assertEquals(1, run.exitCode());
    assertTrue(run.errors().contains("internal error"), run.errors());
    assertEquals(0, weft("", "node", "list").exitCode());
  }

  @Test
  void saysThatNoManagerIsThere(@TempDir Path data) throws IOException {
    ClientRun none = ClientRun.start(data, "", "node", "list");
    assertEquals(1, none.exitCode());
    assertEquals(
        "weft: no manager is running here (looked at "
            + data
            + "/socket): start one with 'weft manager' or give --data\n",
        none.errors());
    Files.writeString(data.resolve("socket"), data + "/weft.sock\n");
    ClientRun nobody = ClientRun.start(data, "", "node", "list");
    assertEquals(1, nobody.exitCode());
    assertTrue(nobody.errors().contains("looked at " + data + "/weft.sock"), nobody.errors());
    ClientRun named =
        ClientRun.start(data, "", "node", "list", "--data", manager.data().toString());
    assertEquals(0, named.exitCode());
  }

  @Test
  void helpAndUsageErrorsNeedNoManager(@TempDir Path data) {
    assertEquals(0, ClientRun.start(data, "", "job", "run", "--help").exitCode());
    assertEquals(0, ClientRun.start(data, "", "help", "job").exitCode());
    assertEquals(0, ClientRun.start(data, "", "version").exitCode());
    ClientRun wrong = ClientRun.start(data, "", "jobs");
    assertEquals(1, wrong.exitCode());
    assertEquals(
        "weft: Unknown command 'jobs'; did you mean job?\nSee how it is used with: weft --help\n",
        wrong.errors());
  }

  @Test
  void aClientThatGoesAwayEndsItsWatch() throws IOException {
    ClientRun run = weft("x", "job", "run", "-");
    awaitWatches(1);
    // The second interrupt makes the client leave without waiting for an answer.
    run.terminal().pressCtrlC();
    run.terminal().pressCtrlC();
    assertEquals(130, run.exitCode());
    awaitWatches(0);
    awaitNoSession();
  }

  @Test
  void garbageEndsTheSessionOnly() throws IOException {
    for (byte[] garbage :
        List.of(
            "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8),
            new byte[] {1, 0, 0, 0, 0},
            new byte[] {1, 127, 0, 0, 0},
            new byte[] {7, 0, 0, 0, 0})) {
      try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
        channel.connect(UnixDomainSocketAddress.of(manager.socket()));
        channel.write(ByteBuffer.wrap(garbage));
        ByteBuffer answer = ByteBuffer.allocate(1_000);
        readToTheEnd(channel, answer);
        assertEquals(17, answer.get(0));
      }
    }
    awaitNoSession();
    assertEquals(0, weft("", "node", "list").exitCode());
  }

  // What the other end has not read makes the end a reset; what it sent arrives before that.
  private static void readToTheEnd(SocketChannel channel, ByteBuffer answer) {
    try {
      while (channel.read(answer) >= 0) {
        assertTrue(answer.hasRemaining());
      }
    } catch (IOException e) {
      assertEquals("Connection reset", e.getMessage());
    }
  }

  @Test
  void tooManyClientsAreRefusedWithAReason() throws IOException {
    List<SocketChannel> open = new ArrayList<>();
    for (int i = 0; i < SocketServer.MAXIMUM_SESSIONS; i++) {
      SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
      channel.connect(UnixDomainSocketAddress.of(manager.socket()));
      open.add(channel);
    }
    await()
        .atMost(Duration.ofSeconds(5))
        .until(() -> connections() == SocketServer.MAXIMUM_SESSIONS);
    ClientRun refused = weft("", "node", "list");
    assertEquals(1, refused.exitCode());
    assertTrue(refused.errors().contains("32 clients are connected"), refused.errors());
    for (SocketChannel channel : open) {
      channel.close();
    }
    awaitNoSession();
    assertEquals(0, weft("", "node", "list").exitCode());
  }

  @Test
  void aManagerThatStopsEndsItsClients() throws IOException {
    ClientRun run = weft("x", "job", "run", "--quiet", "-");
    awaitWatches(1);
    manager.server().close();
    assertEquals(1, run.exitCode());
    assertEquals("weft: the manager has gone: see its log\n", run.errors());
    assertFalse(Files.exists(manager.socket()));
  }
}
