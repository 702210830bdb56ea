package dev.weft.scheduler;

import static dev.weft.scheduler.CoreDriver.NODE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.AttemptId;
import dev.weft.api.Bytes;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.job.JobSpec;
import dev.weft.api.job.Shard;
import dev.weft.api.policy.Refusal;
import dev.weft.core.bus.Bus;
import dev.weft.core.bus.BusStatus;
import dev.weft.core.bus.Peer;
import dev.weft.core.job.JobService;
import dev.weft.core.job.JobSource;
import dev.weft.core.job.JobView;
import dev.weft.core.job.TaskView.AttemptState;
import dev.weft.core.message.Message;
import dev.weft.core.message.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scheduler on its own thread, among fakes of the services that it uses. */
class SchedulerLoopTest {
  private static final Peer PEER = CoreDriver.peer(NODE, 1);
  private static final JobSource SOURCE = source("2");

  @TempDir Path folder;
  private final AtomicInteger drawn = new AtomicInteger();
  private final FakeBus bus = new FakeBus();
  private final FakeResources resources = new FakeResources();
  private FolderStaging staging;
  private SchedulerLoop loop;

  @BeforeEach
  void start() throws IOException {
    staging = new FolderStaging(Files.createDirectory(folder.resolve("staging")));
    open(Specs.SETTINGS);
  }

  private void open(SchedulerSettings settings) {
    loop =
        new SchedulerLoop(
            new SchedulerCore(settings, new SplittableRandom(1), Instant.now()),
            source -> read(source),
            (job, spec) -> cut(spec),
            new Results(folder.resolve("results"), staging),
            new SchedulerLoop.Services(CoreDriver.MANAGER, resources, bus, staging),
            Clock.systemUTC());
    loop.start();
    loop.managers(List.of(CoreDriver.MANAGER), Optional.of(CoreDriver.MANAGER));
    loop.peerUp(PEER);
  }

  @AfterEach
  void stop() {
    loop.stop();
  }

  private JobReader.Read read(JobSource source) {
    if (source.text().isEmpty()) {
      return new JobReader.Read.Invalid(List.of(new JobService.Problem(1, 1, "", "is empty")));
    }
    List<JobReader.Step> steps = new ArrayList<>();
    for (String priority : source.text().split(" ", -1)) {
      List<JobId> needs = steps.stream().map(JobReader.Step::id).toList();
      JobSpec spec = Specs.of(1_000).priority(Integer.parseInt(priority)).needing(needs);
      steps.add(new JobReader.Step(CoreDriver.jobId(drawn.incrementAndGet()), spec));
    }
    return new JobReader.Read.Valid(steps);
  }

  /** The priority of the job says into how many shards; 99 breaks. */
  private static JobSplitter.Result cut(JobSpec spec) {
    if (spec.priority() == 99) {
      throw new IllegalStateException("broken");
    }
    return new JobSplitter.Result.Cut(
        Collections.nCopies(spec.priority(), new Shard.Index()), List.of(), "even 1");
  }

  private static JobSource source(String text) {
    return new JobSource("job.yaml", text, Path.of("/"), CoreDriver.SUBMITTER);
  }

  private JobId submit(JobSource source) {
    return assertInstanceOf(JobService.Submitted.Accepted.class, loop.submit(source)).id();
  }

  private Message.Assign nextAssign() throws InterruptedException {
    Message.Assign assign = bus.assigned.poll(10, TimeUnit.SECONDS);
    assertTrue(assign != null, "nothing was dispatched");
    return assign;
  }

  private Message says(AttemptId attempt, String result) {
    Outcome outcome = new Outcome.Succeeded(new Outcome.Result.Inline(Bytes.of(result)));
    CompletableFuture<Message> answer = new CompletableFuture<>();
    loop.handle(
        PEER,
        new Message.Status(
            List.of(
                new Message.AttemptStatus(
                    attempt, Message.Phase.ENDED, Duration.ZERO, Optional.of(outcome)))),
        answer::complete);
    return answer.orTimeout(10, TimeUnit.SECONDS).join();
  }

  @Test
  void aJobRunsFromItsFileToItsResult() throws Exception {
    JobId job = submit(SOURCE);
    List<JobView.State> seen = new CopyOnWriteArrayList<>();
    AutoCloseable watch = loop.watch(job, view -> seen.add(view.state()));
    Message.Assign assign = nextAssign();
    assertEquals(1, assign.boot());
    assertEquals(Specs.RULES, assign.rules());
    assertEquals(4711, assign.part().stagingPort());
    assertEquals(2, assign.assignments().size());
    says(assign.assignments().get(1).attempt(), "two\n");
    says(assign.assignments().get(0).attempt(), "one\n");
    await().until(() -> seen.contains(JobView.State.COMPLETED));
    assertEquals(JobView.State.COMPLETED, seen.get(seen.size() - 1));
    assertEquals("one\ntwo\n", Files.readString(loop.result(job).orElseThrow()));
    assertEquals(List.of(job), loop.find(job.hex().substring(0, 6)));
    assertEquals(2, loop.tasks(job).size());
    assertEquals(Set.of(), resources.given);
    watch.close();
  }

  @Test
  void tellsWhatWasAskedFor() {
    JobId job = submit(SOURCE);
    assertEquals(2, loop.spec(job).orElseThrow().priority());
    assertEquals(Optional.empty(), loop.spec(new JobId("f".repeat(JobId.LENGTH))));
  }

  @Test
  void whoHearsOfTheEndCanHaveTheResult() throws Exception {
    JobId job = submit(SOURCE);
    List<Optional<Path>> results = new CopyOnWriteArrayList<>();
    Consumer<JobView> listener =
        view -> {
          if (view.state().isFinal()) {
            results.add(loop.result(job));
          }
        };
    try (AutoCloseable watch = loop.watch(job, listener)) {
      assertNotNull(watch);
      nextAssign().assignments().forEach(assignment -> says(assignment.attempt(), "done"));
      await().until(() -> !results.isEmpty());
    }
    assertTrue(results.get(0).isPresent(), "the job has no result any more");
  }

  @Test
  void aWatchOfAJobThatIsForgottenAsItEndsGetsTheFinalState() throws Exception {
    loop.stop();
    open(Specs.settings(256, Duration.ofSeconds(15), Specs.RULES, 0));
    JobId job = submit(SOURCE);
    List<JobView.State> seen = new CopyOnWriteArrayList<>();
    try (AutoCloseable watch = loop.watch(job, view -> seen.add(view.state()))) {
      assertNotNull(watch);
      List<Message.Assignment> assignments = nextAssign().assignments();
      JobId later = submit(SOURCE);
      nextAssign();
      assertTrue(loop.cancel(later)); // the last is kept: the next to end is one too many
      assignments.forEach(assignment -> says(assignment.attempt(), "done"));
      await().until(() -> loop.job(job).isEmpty());
      assertEquals(JobView.State.COMPLETED, seen.get(seen.size() - 1));
      assertEquals(1, seen.stream().filter(JobView.State::isFinal).count());
    }
  }

  @Test
  void aResultIsOnDiskBeforeItIsAcknowledgedOrCounted() throws Exception {
    JobId job = submit(SOURCE);
    AttemptId attempt = nextAssign().assignments().get(0).attempt();
    staging.full = true;
    Message.Failed failed = assertInstanceOf(Message.Failed.class, says(attempt, "one\n"));
    assertTrue(failed.fault().retry(), failed::toString);
    assertEquals(1, loop.tasks(job).get(0).attempts().size());
    assertEquals(AttemptState.DISPATCHED, loop.tasks(job).get(0).attempts().get(0).state());
    staging.full = false;
    assertInstanceOf(Message.StatusReceived.class, says(attempt, "one\n"));
    assertEquals(AttemptState.SUCCEEDED, loop.tasks(job).get(0).attempts().get(0).state());
  }

  @Test
  void aLogComesFromTheNodeOrElseFromWhatTheManagerKept() throws Exception {
    submit(SOURCE);
    AttemptId attempt = nextAssign().assignments().get(0).attempt();
    says(attempt, "one\n");
    bus.logs = request -> new Message.LogChunk(request.offset(), Bytes.of("node"), false);
    assertEquals("node", log(attempt, Message.Stream.OUTPUT));
    bus.logs =
        request ->
            new Message.Failed(new Fault("peer.down", Fault.Category.EXTERNAL, "gone", true));
    assertEquals("one\n", log(attempt, Message.Stream.OUTPUT));
    assertEquals("log.gone", log(attempt, Message.Stream.ERRORS));
    assertEquals("log.unknown", log(new AttemptId(attempt.task(), 7), Message.Stream.OUTPUT));
  }

  private String log(AttemptId attempt, Message.Stream stream) {
    Message answer =
        loop.readLog(attempt, stream, 0)
            .toCompletableFuture()
            .orTimeout(10, TimeUnit.SECONDS)
            .join();
    return answer instanceof Message.LogChunk chunk
        ? chunk.bytes().toText()
        : ((Message.Failed) answer).fault().code();
  }

  @Test
  void aSplitterThatBreaksFailsTheJobAndNotTheScheduler() throws Exception {
    JobId broken = submit(source("99"));
    await().until(() -> loop.job(broken).orElseThrow().state() == JobView.State.FAILED);
    assertEquals("scheduler.broken", loop.job(broken).orElseThrow().fault().orElseThrow().code());
    submit(SOURCE);
    nextAssign();
  }

  @Test
  void aWrongJobFileChangesNothing() {
    JobService.Submitted submitted = loop.submit(source(""));
    assertEquals(
        "line 1, column 1: is empty",
        assertInstanceOf(JobService.Submitted.Rejected.class, submitted)
            .problems()
            .get(0)
            .toString());
    assertEquals(List.of(), loop.jobs());
  }

  @Test
  void whatNoNodeCanEverTakeIsSaid() {
    resources.neverFits = Map.of(NODE, new Refusal("resources.lacking", "too small"));
    JobService.Submitted submitted = loop.submit(SOURCE);
    assertEquals(
        resources.neverFits,
        assertInstanceOf(JobService.Submitted.Accepted.class, submitted).neverFits());
  }

  @Test
  void aCancelledJobIsCancelledOnItsNode() throws Exception {
    JobId job = submit(SOURCE);
    Message.Assign assign = nextAssign();
    assertTrue(loop.cancel(job));
    assertEquals(2, bus.cancelled.poll(10, TimeUnit.SECONDS).attempts().size());
    assertEquals(resources.given, resources.withdrawn);
    assertEquals(JobView.State.CANCELLED, loop.job(job).orElseThrow().state());
    assertTrue(!loop.cancel(job), "it has ended");
    says(assign.assignments().get(0).attempt(), "late\n");
    says(assign.assignments().get(1).attempt(), "late\n");
    await().until(resources.given::isEmpty);
  }

  @Test
  void theStepsOfAFileAreJobsThatFollowEachOther() throws Exception {
    JobService.Submitted.Accepted accepted =
        assertInstanceOf(JobService.Submitted.Accepted.class, loop.submit(source("1 2")));
    assertEquals(2, accepted.steps().size());
    assertEquals(accepted.steps().get(1), accepted.id());
    JobId first = accepted.steps().get(0);
    assertEquals(List.of(first), loop.job(accepted.id()).orElseThrow().needs());
    assertEquals(JobView.State.PENDING, loop.job(accepted.id()).orElseThrow().state());
    Message.Assign assign = nextAssign();
    assertEquals(first, assign.part().job());
    says(assign.assignments().get(0).attempt(), "done\n");
    assertEquals(accepted.id(), nextAssign().part().job());
    await().until(() -> loop.job(first).orElseThrow().state() == JobView.State.COMPLETED);
    assertEquals(CoreDriver.SUBMITTER, loop.job(first).orElseThrow().submitter());
  }

  @Test
  void aNodeIsMadeIneligibleBeforeItIsDrainedAndEligibleAfterwards() throws Exception {
    submit(SOURCE);
    nextAssign();
    assertTrue(!loop.drain(CoreDriver.OTHER, Duration.ofMinutes(1)), "it is not known");
    assertTrue(loop.drain(NODE, Duration.ofMinutes(1)));
    assertEquals(Set.of(NODE), resources.ineligible);
    assertEquals(2, loop.drain(NODE).orElseThrow().left().size());
    loop.endDrain(NODE);
    assertEquals(Set.of(), resources.ineligible);
    assertEquals(Optional.empty(), loop.drain(NODE));
  }

  @Test
  void aStoppedSchedulerSaysSo() {
    loop.stop();
    JobService.Submitted.Rejected rejected =
        assertInstanceOf(JobService.Submitted.Rejected.class, loop.submit(SOURCE));
    assertTrue(rejected.problems().get(0).message().contains("try again"));
    Message answer =
        loop.readLog(CoreDriver.attempt(1, 0, 1), Message.Stream.OUTPUT, 0)
            .toCompletableFuture()
            .join();
    assertTrue(((Message.Failed) answer).fault().retry());
  }

  /** A bus to one node that accepts everything. */
  private static final class FakeBus implements Bus {
    final BlockingQueue<Message.Assign> assigned = new LinkedBlockingQueue<>();
    final BlockingQueue<Message.Cancel> cancelled = new LinkedBlockingQueue<>();
    volatile Function<Message.ReadLog, Message> logs = request -> new Message.Done();

    @Override
    public CompletionStage<Message> request(NodeId to, Message request, Duration deadline) {
      return CompletableFuture.completedFuture(answer(request));
    }

    private Message answer(Message request) {
      if (request instanceof Message.Assign assign) {
        assigned.add(assign);
        return new Message.Assigned(List.of());
      }
      if (request instanceof Message.Cancel cancel) {
        cancelled.add(cancel);
        return new Message.Cancelled(List.of());
      }
      return logs.apply((Message.ReadLog) request);
    }

    @Override
    public List<Peer> peers() {
      return List.of(PEER);
    }

    @Override
    public Optional<Peer> peer(NodeId id) {
      return Optional.of(PEER);
    }

    @Override
    public BusStatus status() {
      return new BusStatus(List.of(), List.of(), List.of(), List.of());
    }
  }
}
