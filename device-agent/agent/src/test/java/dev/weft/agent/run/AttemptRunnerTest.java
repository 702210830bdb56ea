package dev.weft.agent.run;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.Amount;
import dev.weft.api.AttemptId;
import dev.weft.api.Bytes;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import dev.weft.api.TaskId;
import dev.weft.api.execution.Executor.Ending;
import dev.weft.api.execution.Executor.Launch;
import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.job.Command;
import dev.weft.api.job.Shard;
import dev.weft.core.message.Message;
import dev.weft.core.message.Message.Phase;
import dev.weft.core.message.Outcome;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttemptRunnerTest {
  private static final NodeId NODE = new NodeId("1".repeat(64));
  private static final NodeId MANAGER = new NodeId("2".repeat(64));
  private static final AttemptId ATTEMPT =
      new AttemptId(new TaskId(new JobId("3".repeat(32)), 4), 5);
  private static final Device.Gpu FIRST_GPU = new Device.Gpu("GPU-a", "NVIDIA", "m", 1, "");
  private static final Device.Gpu SECOND_GPU = new Device.Gpu("GPU-b", "NVIDIA", "m", 1, "");
  private static final Resources GIVEN =
      Resources.ree(Amount.of(Map.of(ResourceType.CPU, 1_000L, ResourceType.gpu(1), 500L)));
  private static final FakeExecutor.Play OK =
      FakeExecutor.Play.ends("result\n", "", new Ending.Exited(0));

  @TempDir Path home;

  private final FakeStaging staging = new FakeStaging();
  private final ExecutorSlot executors = new ExecutorSlot(NODE);
  private final BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();
  private final BlockingQueue<Phase> phases = new LinkedBlockingQueue<>();
  private final Gpus gpus = new Gpus();
  private AttemptFolders folders;
  private AttemptRunner runner;
  private Optional<FakeExecutor> executor = Optional.empty();

  @BeforeEach
  void begin() throws Exception {
    folders = new AttemptFolders(home, new AttemptFolders.Keep(10, 1_000_000));
    folders.clear();
    RunListener listener =
        new RunListener() {
          @Override
          public void phaseChanged(AttemptId attempt, Phase phase) {
            phases.add(phase);
          }

          @Override
          public void ended(AttemptId attempt, Outcome outcome) {
            outcomes.add(outcome);
          }
        };
    runner =
        new AttemptRunner(
            NODE,
            folders,
            new Staging(staging, id -> Optional.of(InetAddress.getLoopbackAddress())),
            executors,
            gpus,
            new RunLimits(1_000_000, 1_000),
            listener);
  }

  @AfterEach
  void end() {
    runner.close();
    folders.close();
  }

  private void use(Function<Launch, FakeExecutor.Play> plays) {
    FakeExecutor made = new FakeExecutor(plays);
    executor = Optional.of(made);
    CountDownLatch ready = new CountDownLatch(1);
    executors.open(one -> ready.countDown());
    executors.bound(made);
    try {
      assertTrue(ready.await(5, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static RunRequest request(
      Shard shard, Optional<String> folder, Message.StagedFile... files) {
    Command command =
        new Command(
            List.of("run", "{input}", "{index}", "{from}..{to}/{step}", "{other}"),
            new TreeMap<>(Map.of("PART", "p{index}", "WEFT_JOB", "forged")),
            folder);
    return new RunRequest(
        ATTEMPT,
        MANAGER,
        new Message.JobPart(
            ATTEMPT.task().job(), command, List.of(files), Duration.ofSeconds(9), 8, 4711),
        shard,
        GIVEN,
        Duration.ofSeconds(1));
  }

  private static RunRequest plain() {
    return request(new Shard.Index(), Optional.empty());
  }

  private Outcome run(RunRequest request) throws InterruptedException {
    runner.start(request);
    return next();
  }

  private Outcome next() throws InterruptedException {
    return Optional.ofNullable(outcomes.poll(5, TimeUnit.SECONDS)).orElseThrow();
  }

  private static Outcome.Failed failed(Outcome outcome) {
    return assertInstanceOf(Outcome.Failed.class, outcome);
  }

  @Test
  void aShortResultTravelsInTheOutcome() throws Exception {
    use(launch -> OK);
    assertEquals(
        new Outcome.Succeeded(new Outcome.Result.Inline(Bytes.of("result\n"))), run(plain()));
    assertEquals(List.of(Phase.RUNNING), List.copyOf(phases));
    assertFalse(runner.isRunning(ATTEMPT));
  }

  @Test
  void stagesFilesAndInputAndFillsInWhatTheCommandAsksFor() throws Exception {
    use(launch -> OK);
    staging.contents.put(FakeStaging.id(1), "#!/bin/sh");
    staging.contents.put(FakeStaging.id(2), "a,b");
    run(
        request(
            new Shard.Content(FakeStaging.id(2), "part-4.csv"),
            Optional.of("sub/folder"),
            new Message.StagedFile("tool.sh", FakeStaging.id(1), true)));
    Launch launch = executor.orElseThrow().launches.take();
    Path work = launch.folder().resolve("work");
    Path input = work.resolve("part-4.csv");
    assertEquals(
        home.resolve("attempts").resolve(ATTEMPT.task().job().hex()).resolve("4.5"),
        launch.folder());
    assertEquals(work.resolve("sub/folder"), launch.workingFolder());
    assertTrue(Files.isDirectory(launch.workingFolder()));
    assertEquals("a,b", Files.readString(input));
    assertEquals(Optional.of(input), launch.input());
    assertTrue(Files.isExecutable(work.resolve("tool.sh")));
    assertEquals(
        List.of("run", input.toString(), "4", "{from}..{to}/{step}", "{other}"),
        launch.arguments());
    assertEquals(
        Map.of(
            "PART", "p4",
            "LC_ALL", "C.UTF-8",
            "WEFT_JOB", ATTEMPT.task().job().hex(),
            "WEFT_TASK", "4",
            "WEFT_ATTEMPT", "5",
            "WEFT_TASKS", "8",
            "WEFT_NODE", NODE.hex(),
            "WEFT_INPUT", input.toString()),
        launch.environment());
  }

  @Test
  void numbersAreGivenAsVariablesAndPlaceholders() throws Exception {
    use(launch -> OK);
    run(request(new Shard.Numbers(10, 20, 2), Optional.empty()));
    Launch launch = executor.orElseThrow().launches.take();
    assertEquals("10..20/2", launch.arguments().get(3));
    assertEquals("10", launch.environment().get("WEFT_FROM"));
    assertEquals("20", launch.environment().get("WEFT_TO"));
    assertEquals("2", launch.environment().get("WEFT_STEP"));
    assertEquals(launch.folder().resolve("work"), launch.workingFolder());
  }

  @Test
  void noOperationEndsAtOnceWithoutExecutorAndFolder() throws Exception {
    RunRequest plain = plain();
    Message.JobPart part = plain.part();
    Command nothing =
        new Command(List.of("-"), new TreeMap<>(), Optional.empty(), Command.NO_OPERATION);
    Outcome outcome =
        run(
            new RunRequest(
                plain.attempt(),
                plain.manager(),
                new Message.JobPart(
                    part.job(), nothing, List.of(), part.timeLimit(), 1, part.stagingPort()),
                plain.shard(),
                plain.resources(),
                plain.grace()));
    assertEquals(new Outcome.Succeeded(new Outcome.Result.Inline(Bytes.EMPTY)), outcome);
    assertFalse(Files.exists(folders.of(ATTEMPT).root()));
    folders.retire(ATTEMPT);
  }

  @Test
  void aCommandSeesOnlyTheDevicesThatItWasGiven() throws Exception {
    gpus.found(new Inventory(List.of(FIRST_GPU, SECOND_GPU), List.of()));
    use(launch -> OK);
    run(plain());
    Launch launch = executor.orElseThrow().launches.take();
    assertEquals("GPU-b", launch.environment().get("WEFT_GPUS"));
    assertEquals("GPU-b", launch.environment().get("CUDA_VISIBLE_DEVICES"));
    assertEquals("GPU-b", launch.environment().get("NVIDIA_VISIBLE_DEVICES"));
  }

  @Test
  void aCommandThatWasGivenNoDeviceSeesNone() throws Exception {
    gpus.found(new Inventory(List.of(FIRST_GPU), List.of()));
    use(launch -> OK);
    run(plain());
    Launch launch = executor.orElseThrow().launches.take();
    assertEquals("", launch.environment().get("CUDA_VISIBLE_DEVICES"));
    assertEquals("void", launch.environment().get("NVIDIA_VISIBLE_DEVICES"));
  }

  @Test
  void aFolderOutsideIsTheUsersFault() throws Exception {
    use(launch -> OK);
    Outcome.Failed out = failed(run(request(new Shard.Index(), Optional.of("../../x"))));
    assertEquals("command.folder", out.fault().code());
    assertFalse(out.fault().retry());
    assertEquals(
        "working folder '../../x' leads out of the attempt's folder; correct command.folder of"
            + " the job",
        out.fault().message());
  }

  @Test
  void anAbsoluteFolderMustExist() throws Exception {
    use(launch -> OK);
    assertEquals(
        "command.folder",
        failed(run(request(new Shard.Index(), Optional.of("/does/not/exist")))).fault().code());
  }

  @Test
  void aNameThatIsAPathIsRefused() throws Exception {
    use(launch -> OK);
    staging.contents.put(FakeStaging.id(2), "a,b");
    Shard evil = new Shard.Content(FakeStaging.id(2), "../stdout");
    assertEquals("file.name", failed(run(request(evil, Optional.empty()))).fault().code());
  }

  @Test
  void whatCannotBeStagedIsTheTasksFault() throws Exception {
    use(launch -> OK);
    Shard missing = new Shard.Content(FakeStaging.id(2), "input");
    assertEquals("staging.unknown", failed(run(request(missing, Optional.empty()))).fault().code());
  }

  @Test
  void aStopInterruptsStaging() throws Exception {
    use(launch -> OK);
    runner.start(request(new Shard.Content(staging.endless, "input"), Optional.empty()));
    assertTrue(staging.waiting.await(5, TimeUnit.SECONDS));
    runner.stop(ATTEMPT, Duration.ofSeconds(1));
    assertInstanceOf(Outcome.Stopped.class, next());
    assertEquals(0, executor.orElseThrow().launches.size());
  }

  @Test
  void aStopEndsTheCommand() throws Exception {
    use(launch -> FakeExecutor.Play.runs());
    runner.start(plain());
    assertEquals(Phase.RUNNING, phases.poll(5, TimeUnit.SECONDS));
    assertTrue(runner.isRunning(ATTEMPT));
    runner.stop(ATTEMPT, Duration.ofSeconds(1));
    assertInstanceOf(Outcome.Stopped.class, next());
  }

  @Test
  void anEndThatNobodyAskedForIsAFailure() throws Exception {
    use(launch -> FakeExecutor.Play.ends("", "", new Ending.Stopped()));
    Outcome.Failed out = failed(run(plain()));
    assertEquals("command.stopped", out.fault().code());
    assertTrue(out.fault().retry());
  }

  @Test
  void aFailureCarriesCodeLastLineAndTail() throws Exception {
    String errors = "first\n" + "ü".repeat(3_000) + "\nno such column\n\n";
    use(launch -> FakeExecutor.Play.ends("", errors, new Ending.Exited(3)));
    Outcome.Failed out = failed(run(plain()));
    assertEquals("command.failed", out.fault().code());
    assertEquals("exit code 3: no such column", out.fault().message());
    assertEquals(OptionalInt.of(3), out.exitCode());
    assertTrue(out.fault().retry());
    assertTrue(Bytes.of(out.errorTail()).length() <= 4_096);
    assertTrue(out.errorTail().startsWith("ü"), out.errorTail());
  }

  @Test
  void everyEndingHasItsCode() throws Exception {
    Map<Ending, String> codes =
        Map.of(
            new Ending.Signalled(9), "command.signalled",
            new Ending.TimedOut(Duration.ofSeconds(9)), "command.timeout",
            new Ending.TooMuchOutput(5), "command.output",
            new Ending.NotStarted("no such program"), "command.not-started");
    for (var entry : codes.entrySet()) {
      Outcome.Failed out = failed(Endings.failure(entry.getKey(), home.resolve("there-is-none")));
      assertEquals(entry.getValue(), out.fault().code());
    }
  }

  @Test
  void aLongResultIsDeliveredHoweverOftenItTakes() throws Exception {
    String text = "x".repeat(5_000);
    use(launch -> FakeExecutor.Play.ends(text, "", new Ending.Exited(0)));
    staging.failures.set(2);
    Outcome outcome = run(plain());
    assertEquals(new Outcome.Succeeded(new Outcome.Result.Stored(FakeStaging.id(5_000))), outcome);
    assertEquals(text, staging.delivered.get(ATTEMPT));
    assertEquals(List.of(Phase.RUNNING, Phase.DELIVERING), List.copyOf(phases));
  }

  @Test
  void aStopEndsTheWaitForTheNextDelivery() throws Exception {
    use(launch -> FakeExecutor.Play.ends("x".repeat(5_000), "", new Ending.Exited(0)));
    staging.failures.set(1_000);
    runner.start(plain());
    await().until(() -> staging.failures.get() < 998);
    runner.stop(ATTEMPT, Duration.ofSeconds(1));
    Outcome outcome = outcomes.poll(900, TimeUnit.MILLISECONDS);
    assertInstanceOf(Outcome.Stopped.class, outcome);
  }

  @Test
  void anExecutorThatThrowsIsAnEnding() throws Exception {
    use(
        launch -> {
          throw new IllegalStateException("broken");
        });
    Outcome.Failed out = failed(run(plain()));
    assertEquals("command.not-started", out.fault().code());
    assertTrue(out.fault().message().contains("broken"), out.fault().message());
  }

  @Test
  void withoutAnExecutorNothingStarts() throws Exception {
    assertEquals("command.not-started", failed(run(plain())).fault().code());
  }

  @Test
  void whatAReplacedExecutorStartedIsOver() throws Exception {
    use(launch -> FakeExecutor.Play.runs());
    runner.start(plain());
    assertEquals(Phase.RUNNING, phases.poll(5, TimeUnit.SECONDS));
    await().until(() -> executor.orElseThrow().launches.size() == 1);
    FakeExecutor another = new FakeExecutor(launch -> OK);
    runner.replaced(another);
    assertEquals("command.not-started", failed(next()).fault().code());
  }

  @Test
  void outputsAreServedWhileTheyGrowAndAfterwards() throws Exception {
    use(launch -> new FakeExecutor.Play("hello", "", Optional.empty()));
    runner.start(plain());
    await().until(() -> executor.orElseThrow().launches.size() == 1);
    try (LogReader logs = new LogReader(folders, runner::isRunning)) {
      assertEquals(new Message.LogChunk(1, Bytes.of("ello"), false), read(logs, 1));
      assertEquals(new Message.LogChunk(50, Bytes.EMPTY, false), read(logs, 50));
      runner.stop(ATTEMPT, Duration.ofSeconds(1));
      next();
      assertEquals(new Message.LogChunk(0, Bytes.of("hello"), true), read(logs, 0));
      assertEquals(new Message.LogChunk(50, Bytes.EMPTY, true), read(logs, 50));
      Path work = folders.of(ATTEMPT).work();
      folders.retire(ATTEMPT);
      await().until(() -> !Files.exists(work));
      assertEquals(new Message.LogChunk(5, Bytes.EMPTY, true), read(logs, 5));
      folders.keep(new AttemptFolders.Keep(0, 0));
      folders.retire(new AttemptId(ATTEMPT.task(), 99));
      await().until(() -> !Files.exists(work.getParent().getParent()));
      Message.Failed gone = assertInstanceOf(Message.Failed.class, read(logs, 0));
      assertEquals("log.gone", gone.fault().code());
    }
  }

  private static Message read(LogReader logs, long offset) throws InterruptedException {
    BlockingQueue<Message> answer = new LinkedBlockingQueue<>();
    logs.read(new Message.ReadLog(ATTEMPT, Message.Stream.OUTPUT, offset), answer::add);
    return Optional.ofNullable(answer.poll(5, TimeUnit.SECONDS)).orElseThrow();
  }
}
