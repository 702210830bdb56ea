package dev.weft.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.Amount;
import dev.weft.api.AttemptId;
import dev.weft.api.ContentId;
import dev.weft.api.Demand;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.TaskId;
import dev.weft.api.bus.Role;
import dev.weft.api.job.Command;
import dev.weft.api.job.Input;
import dev.weft.api.job.JobSpec;
import dev.weft.api.job.Merge;
import dev.weft.api.job.Shard;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.core.bus.Peer;
import dev.weft.core.job.JobView;
import dev.weft.core.job.TaskView;
import dev.weft.core.message.Message;
import dev.weft.core.message.Outcome;
import dev.weft.core.resources.Placement;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SchedulerCoreTest {
  private static final Command COMMAND =
      new Command(List.of("true"), new TreeMap<>(Map.of()), Optional.empty());
  private static final Duration T1 = Duration.ofSeconds(1);
  private static final Duration T3 = Duration.ofSeconds(15);
  private static final NodeId NODE = new NodeId("1".repeat(64));
  private static final NodeId OTHER = new NodeId("2".repeat(64));

  private final SchedulerCore core =
      new SchedulerCore(
          new SchedulerSettings(
              4,
              T1,
              T3,
              new Message.StatusRules(Duration.ofSeconds(2), 4, Duration.ofSeconds(3)),
              2));
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private List<SchedulerEffect> effects = List.of();
  private long token;

  @BeforeEach
  void nodesAreUp() {
    handle(new SchedulerEvent.NodeUp(peer(NODE, 1)));
    handle(new SchedulerEvent.NodeUp(peer(OTHER, 1)));
  }

  @Test
  void theBufferPoolBoundsWhatIsUnderWay() {
    JobId job = cut(1, 10);
    assertEquals(4, requests().size());
    place(NODE, requests());
    assertEquals(List.of(), requests());
    succeed(NODE, attempt(job, 0, 1));
    assertEquals(List.of(attempt(job, 4, 1)), ids(requests()));
  }

  @Test
  void higherPriorityGoesFirstAndEqualOnesTakeTurns() {
    JobId low = accept(1, spec(10, 0, new Merge.Concatenate()));
    JobId high = accept(2, spec(60, 0, new Merge.Concatenate()));
    JobId alsoHigh = accept(3, spec(60, 0, new Merge.Concatenate()));
    split(low, 4);
    List<Request> first = requests();
    split(high, 3);
    split(alsoHigh, 3);
    refuse(first);
    assertEquals(
        List.of(
            attempt(high, 0, 1),
            attempt(alsoHigh, 0, 1),
            attempt(high, 1, 1),
            attempt(alsoHigh, 1, 1)),
        ids(requests()));
  }

  @Test
  void aRefusedTaskWaitsAndItsReasonIsShown() {
    JobId job = cut(1, 3);
    refuse(requests());
    assertEquals(List.of(), requests());
    assertEquals("no node fits now", view(job).waiting().orElseThrow().reason());
    pass(T1.minusMillis(10));
    assertEquals(List.of(), requests());
    pass(Duration.ofMillis(20));
    assertEquals(attempt(job, 0, 1), ids(requests()).get(0));
  }

  @Test
  void aRefusedTaskIsAskedForAgainWhenThereIsNews() {
    cut(1, 3);
    refuse(requests());
    handle(new SchedulerEvent.NodeUp(peer(new NodeId("3".repeat(64)), 1)));
    assertEquals(3, requests().size());
  }

  @Test
  void aSilentAttemptIsLostAndItsLateResultIsNotCounted() {
    JobId job = cut(1, 1);
    place(NODE, requests());
    pass(T3.plusMillis(1));
    assertEquals(List.of(attempt(job, 0, 1)), only(SchedulerEffect.Cancel.class).attempts());
    assertEquals(List.of(attempt(job, 0, 2)), ids(requests()));
    assertEquals(List.of(), released());

    place(OTHER, requests());
    succeed(NODE, attempt(job, 0, 1));
    assertEquals(List.of(attempt(job, 0, 1)), released());
    assertEquals(JobView.State.RUNNING, view(job).state());
    succeed(OTHER, attempt(job, 0, 2));
    assertEquals(1, view(job).counts().done());
    assertEquals(
        List.of("lost", "succeeded"),
        tasks(job).get(0).attempts().stream().map(TaskView.AttemptView::state).toList());
  }

  @Test
  void aWithdrawnAttemptsAmountComesBackWhenItsNodeHasHeardAndStaysSilent() {
    JobId job = cut(1, 1);
    place(NODE, requests());
    pass(T3.plusMillis(1));
    handle(new SchedulerEvent.CancelHeard(NODE, List.of(attempt(job, 0, 1))));
    pass(T3.plusMillis(1));
    assertTrue(released().contains(attempt(job, 0, 1)));
  }

  @Test
  void aLostNodesTasksRunElsewhereAtOnce() {
    JobId job = cut(1, 2);
    place(NODE, requests());
    handle(new SchedulerEvent.NodeDown(peer(NODE, 1), fault("peer.silent", true)));
    assertEquals(2, released().size());
    assertEquals(List.of(attempt(job, 0, 2), attempt(job, 1, 2)), ids(requests()));
    assertEquals(0, view(job).counts().running());
  }

  @Test
  void aRestartedNodeHasLostWhatItRan() {
    JobId job = cut(1, 1);
    place(NODE, requests());
    handle(new SchedulerEvent.NodeUp(peer(NODE, 2)));
    assertEquals(List.of(attempt(job, 0, 1)), released());
    assertEquals(List.of(attempt(job, 0, 2)), ids(requests()));
  }

  @Test
  void aNodeThatRefusesIsNoFailureOfTheTask() {
    JobId job = cut(1, 1);
    List<Request> asked = requests();
    place(NODE, asked);
    answer(asked, new Message.Assigned(List.of(refused(attempt(job, 0, 1), true))));
    assertEquals(List.of(attempt(job, 0, 1)), released());
    assertEquals(List.of(), requests());
    pass(T1.plusMillis(1));
    assertEquals(List.of(attempt(job, 0, 2)), ids(requests()));
  }

  @Test
  void aDispatchWithoutAnswerMayHaveArrived() {
    JobId job = cut(1, 1);
    List<Request> asked = requests();
    place(NODE, asked);
    answer(asked, new Message.Failed(fault("peer.silent", true)));
    assertEquals(List.of(attempt(job, 0, 1)), only(SchedulerEffect.Cancel.class).attempts());
    assertEquals(List.of(), released());
    assertEquals(List.of(attempt(job, 0, 2)), ids(requests()));
  }

  @Test
  void failuresAreRetriedAsOftenAsTheUserWants() {
    JobId job = accept(1, spec(50, 1, new Merge.Concatenate()));
    split(job, 1);
    place(NODE, requests());
    fail(NODE, attempt(job, 0, 1), true);
    pass(T1.plusMillis(1));
    place(OTHER, requests());
    fail(OTHER, attempt(job, 0, 2), true);
    assertEquals(JobView.State.FAILED, view(job).state());
    assertEquals(
        "task 0 failed on host-2 (attempt 2): exit code 7",
        view(job).fault().orElseThrow().message());
    assertEquals(TaskView.State.FAILED, tasks(job).get(0).state());
  }

  @Test
  void aFailedJobStopsWhatStillRuns() {
    JobId job = cut(1, 3);
    place(NODE, requests());
    fail(NODE, attempt(job, 1, 1), false);
    assertEquals(JobView.State.FAILED, view(job).state());
    assertEquals(
        Set.of(attempt(job, 0, 1), attempt(job, 2, 1)),
        Set.copyOf(
            all(SchedulerEffect.Cancel.class).stream()
                .flatMap(cancel -> cancel.attempts().stream())
                .toList()));
    assertEquals(List.of(), requests());
  }

  @Test
  void aStoppedOrUnknownAttemptIsToldSo() {
    JobId job = cut(1, 1);
    place(NODE, requests());
    handle(new SchedulerEvent.CancelAsked(job));
    assertEquals(JobView.State.CANCELLED, view(job).state());
    assertEquals(JobView.Desired.STOP, view(job).desired());
    status(NODE, attempt(job, 0, 1), Message.Phase.RUNNING, Optional.empty());
    assertEquals(
        List.of(attempt(job, 0, 1)), only(SchedulerEffect.AnswerStatus.class).notCurrent());
    status(
        NODE, attempt(job, 0, 1), Message.Phase.ENDED, Optional.of(new Outcome.Stopped("asked")));
    assertEquals(List.of(), only(SchedulerEffect.AnswerStatus.class).notCurrent());
    assertEquals(List.of(attempt(job, 0, 1)), released());
  }

  @Test
  void aStatusFromAnotherNodeDoesNotCount() {
    JobId job = cut(1, 1);
    place(NODE, requests());
    succeed(OTHER, attempt(job, 0, 1));
    assertEquals(0, view(job).counts().done());
  }

  @Test
  void aResultThatIsSaidTwiceCountsOnce() {
    JobId job = cut(1, 2);
    place(NODE, requests());
    succeed(NODE, attempt(job, 0, 1));
    succeed(NODE, attempt(job, 0, 1));
    assertEquals(1, view(job).counts().done());
    assertEquals(1, view(job).counts().running());
  }

  @Test
  void resultsAreDeliveredInOrder() {
    JobId job = cut(1, 3);
    place(NODE, requests());
    for (int task : List.of(2, 0, 1)) {
      succeed(NODE, attempt(job, task, 1));
    }
    assertEquals(JobView.State.COMPLETING, view(job).state());
    assertEquals(
        List.of(0, 1, 2),
        only(SchedulerEffect.Deliver.class).results().stream()
            .map(piece -> piece.task().index())
            .toList());
    handle(new SchedulerEvent.Delivered(job));
    assertEquals(JobView.State.COMPLETED, view(job).state());
  }

  @Test
  void aMergeCommandIsOneMoreTask() {
    JobId job = accept(1, spec(50, 0, new Merge.Run(COMMAND)));
    split(job, 2);
    place(NODE, requests());
    succeed(NODE, attempt(job, 0, 1));
    succeed(NODE, attempt(job, 1, 1));
    assertEquals(2, only(SchedulerEffect.OfferMerge.class).results().size());
    handle(new SchedulerEvent.MergeOffered(job, content()));
    assertEquals(List.of(attempt(job, 2, 1)), ids(requests()));
    place(OTHER, requests());
    succeed(OTHER, attempt(job, 2, 1));
    assertEquals(1, only(SchedulerEffect.Deliver.class).results().size());
    assertEquals(new JobView.Counts(2, 0, 0, 2, 0), view(job).counts());
    assertTrue(tasks(job).get(2).merge());
  }

  @Test
  void anOutputThatCannotBeWrittenFailsTheJobAndKeepsTheResult() {
    JobId job = cut(1, 1);
    place(NODE, requests());
    succeed(NODE, attempt(job, 0, 1));
    handle(new SchedulerEvent.NotDelivered(job, fault("output.not-written", false)));
    assertEquals(JobView.State.FAILED, view(job).state());
    assertEquals(List.of(), all(SchedulerEffect.ForgetJob.class));
  }

  @Test
  void oldJobsAreForgotten() {
    List<JobId> jobs = IntStream.rangeClosed(1, 4).mapToObj(i -> cut(i, 1)).toList();
    for (JobId job : jobs) {
      handle(new SchedulerEvent.CancelAsked(job));
      core.jobs().forEach(shown -> shown.changed = false);
    }
    pass(T1);
    assertEquals(List.of(jobs.get(2), jobs.get(3)), core.jobs().stream().map(j -> j.id).toList());
  }

  @Test
  void aTaskThatIsLostForEverIsGivenUp() {
    JobId job = cut(1, 1);
    for (int i = 1; i <= SchedulerCore.MAXIMUM_TRIES; i++) {
      place(NODE, requests());
      handle(new SchedulerEvent.NodeUp(peer(NODE, i + 1)));
    }
    assertEquals("task.tries", view(job).fault().orElseThrow().code());
  }

  @Test
  void theStatusTimeoutMustLeaveANodeTimeToGiveUp() {
    Message.StatusRules rules =
        new Message.StatusRules(Duration.ofSeconds(2), 4, Duration.ofSeconds(3));
    IllegalArgumentException wrong =
        assertThrows(
            IllegalArgumentException.class,
            () -> new SchedulerSettings(4, T1, Duration.ofSeconds(11), rules, 2));
    assertEquals(
        "status.timeout.ms = 11000: must be more than status.period.ms × status.periods"
            + " + stop.grace.ms = 2000 × 4 + 3000 = 11000",
        wrong.getMessage());
  }

  // -----------------------------------------------------------------------------------------------

  private void handle(SchedulerEvent event) {
    effects = core.handle(event, now);
  }

  private void pass(Duration time) {
    now = now.plus(time);
    effects = core.tick(now);
  }

  private JobId cut(int number, int shards) {
    JobId job = accept(number, spec(50, 0, new Merge.Concatenate()));
    split(job, shards);
    return job;
  }

  private JobId accept(int number, JobSpec spec) {
    JobId job = new JobId(String.format("%032x", number));
    handle(new SchedulerEvent.Accepted(job, spec));
    return job;
  }

  private void split(JobId job, int shards) {
    List<Shard> all =
        IntStream.range(0, shards).<Shard>mapToObj(index -> new Shard.Index()).toList();
    handle(new SchedulerEvent.Split(job, new JobSplitter.Result.Cut(all, List.of(), "even 1.0.0")));
  }

  private void place(NodeId node, List<Request> requests) {
    List<Placement> placements = new ArrayList<>();
    for (Request request : requests) {
      placements.add(
          new Placement.Placed(
              request.attempt(),
              new Placement.Decision("rank 1.0.0", "highest rank", Map.of()),
              node,
              boot(node),
              Resources.NONE,
              1));
    }
    handle(new SchedulerEvent.Placements(placements));
  }

  private final Map<NodeId, Long> boots = new TreeMap<>();

  private long boot(NodeId node) {
    return boots.get(node);
  }

  private void refuse(List<Request> requests) {
    handle(
        new SchedulerEvent.Placements(
            requests.stream()
                .<Placement>map(
                    request ->
                        new Placement.NotPlaced(
                            request.attempt(),
                            new Placement.Decision("rank 1.0.0", "no node fits now", Map.of())))
                .toList()));
  }

  private void answer(List<Request> asked, Message answer) {
    handle(new SchedulerEvent.Dispatched(NODE, ids(asked), answer));
  }

  private void succeed(NodeId node, AttemptId attempt) {
    status(
        node,
        attempt,
        Message.Phase.ENDED,
        Optional.of(new Outcome.Succeeded(new Outcome.Result.Stored(content()))));
  }

  private void fail(NodeId node, AttemptId attempt, boolean retry) {
    Fault fault = new Fault("command.failed", Fault.Category.USER, "exit code 7", retry);
    status(
        node,
        attempt,
        Message.Phase.ENDED,
        Optional.of(new Outcome.Failed(fault, OptionalInt.of(7), "")));
  }

  private void status(
      NodeId node, AttemptId attempt, Message.Phase phase, Optional<Outcome> outcome) {
    handle(
        new SchedulerEvent.StatusArrived(
            peer(node, boot(node)),
            List.of(new Message.AttemptStatus(attempt, phase, Duration.ofSeconds(1), outcome)),
            ++token));
  }

  private List<Request> requests() {
    return all(SchedulerEffect.Place.class).stream().flatMap(p -> p.requests().stream()).toList();
  }

  private List<AttemptId> released() {
    return all(SchedulerEffect.Release.class).stream().flatMap(r -> r.attempts().stream()).toList();
  }

  private static List<AttemptId> ids(List<Request> requests) {
    return requests.stream().map(Request::attempt).toList();
  }

  private <E extends SchedulerEffect> List<E> all(Class<E> kind) {
    return effects.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  private <E extends SchedulerEffect> E only(Class<E> kind) {
    List<E> found = all(kind);
    assertEquals(1, found.size(), () -> kind.getSimpleName() + " in " + effects);
    return found.get(0);
  }

  private JobView view(JobId job) {
    return core.job(job).orElseThrow().view();
  }

  private List<TaskView> tasks(JobId job) {
    return core.job(job).orElseThrow().taskViews();
  }

  private static AttemptId attempt(JobId job, int task, int number) {
    return new AttemptId(new TaskId(job, task), number);
  }

  private static ContentId content() {
    return new ContentId("a".repeat(64), 1);
  }

  private static JobSpec spec(int priority, int retries, Merge merge) {
    return new JobSpec(
        "test",
        COMMAND,
        List.of(),
        new Input.Count(1),
        Demand.of(Resources.ree(Amount.of(1000 + priority, 0, 0))),
        Duration.ofMinutes(1),
        retries,
        merge,
        Optional.empty(),
        priority);
  }

  private Peer peer(NodeId node, long boot) {
    boots.put(node, boot);
    return new Peer(
        node,
        boot,
        "host-" + node.hex().charAt(0),
        Set.of(Role.AGENT),
        InetSocketAddress.createUnresolved("localhost", 1),
        "test");
  }

  private static Fault fault(String code, boolean retry) {
    return new Fault(code, Fault.Category.EXTERNAL, "it is gone", retry);
  }

  private static Message.Refused refused(AttemptId attempt, boolean retry) {
    return new Message.Refused(attempt, fault("node.full", retry));
  }
}
