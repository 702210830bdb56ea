package dev.weft.scheduler;

import dev.weft.api.AttemptId;
import dev.weft.api.ContentId;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.TaskId;
import dev.weft.api.bus.Role;
import dev.weft.api.job.JobSpec;
import dev.weft.api.job.Shard;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.api.policy.Refusal;
import dev.weft.core.bus.Peer;
import dev.weft.core.job.JobView;
import dev.weft.core.message.Message;
import dev.weft.core.message.Message.AttemptStatus;
import dev.weft.core.message.Message.Phase;
import dev.weft.core.message.Outcome;
import dev.weft.core.resources.Authority;
import dev.weft.core.resources.Placement;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;

/** Drives a {@link SchedulerCore} by hand and keeps what it wants done since the last question. */
final class CoreDriver {
  static final NodeId NODE = node(1);
  static final NodeId OTHER = node(2);
  static final NodeId MANAGER = node(90);
  static final String SUBMITTER = "ann";
  static final Authority AUTHORITY = new Authority("test", 1);

  final SchedulerCore core;
  Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private final List<SchedulerEffect> effects = new ArrayList<>();
  private long tokens;
  private long lastQuestion;

  CoreDriver(SchedulerSettings settings) {
    core = new SchedulerCore(settings, new SplittableRandom(1), now);
    handle(new SchedulerEvent.Managers(List.of(MANAGER), Optional.of(MANAGER)));
  }

  /** With 256 slots and one node that is up. */
  static CoreDriver withNode() {
    CoreDriver driver = new CoreDriver(Specs.SETTINGS);
    driver.up(NODE, 1);
    return driver;
  }

  static NodeId node(int number) {
    return new NodeId("%064x".formatted(number));
  }

  static JobId jobId(int number) {
    return new JobId("%032x".formatted(number));
  }

  static AttemptId attempt(int job, int index, int number) {
    return new AttemptId(new TaskId(jobId(job), index), number);
  }

  static Peer peer(NodeId id, long boot) {
    return new Peer(
        id,
        boot,
        "host-" + id.hex().substring(63),
        Set.of(Role.AGENT),
        InetSocketAddress.createUnresolved("host", 1),
        "test");
  }

  // What happens ----------------------------------------------------------------------------------

  void handle(SchedulerEvent event) {
    effects.addAll(core.handle(event, now));
  }

  void tick() {
    effects.addAll(core.tick(now));
  }

  /** Lets time pass, in one step. */
  void pass(long millis) {
    now = now.plusMillis(millis);
    tick();
  }

  void up(NodeId id, long boot) {
    handle(new SchedulerEvent.NodeUp(peer(id, boot)));
  }

  void down(NodeId id, long boot) {
    handle(new SchedulerEvent.NodeDown(peer(id, boot), fault("lease.ended", true)));
  }

  /** Submits a job whose input is cut into so many shards. */
  void submit(int job, JobSpec spec, int shards) {
    submitAs(SUBMITTER, job, spec, shards);
  }

  /** The same, by somebody. */
  void submitAs(String submitter, int job, JobSpec spec, int shards) {
    handle(new SchedulerEvent.Accepted(jobId(job), spec, submitter));
    List<Shard> cut = Collections.nCopies(shards, new Shard.Index());
    handle(
        new SchedulerEvent.Split(jobId(job), new JobSplitter.Result.Cut(cut, List.of(), "even 1")));
  }

  /** The resource manager gives a node to each of these. */
  void placeAll(NodeId node, long boot, List<AttemptId> attempts) {
    answer(attempts.stream().map(attempt -> placed(attempt, node, boot)).toList());
  }

  /** The resource manager answers what it was asked the last time. */
  void answer(List<Placement> placements) {
    handle(new SchedulerEvent.Placements(lastQuestion, MANAGER, placements));
  }

  static Placement placed(AttemptId attempt, NodeId node, long boot) {
    return new Placement.Placed(
        attempt,
        new Placement.Decision("test 1", "the only one", Map.of()),
        node,
        boot,
        AUTHORITY,
        Resources.NONE,
        Resources.NONE,
        1);
  }

  /** The resource manager has no node for any of these. */
  void refuseAll(List<AttemptId> attempts) {
    answer(attempts.stream().map(CoreDriver::notPlaced).toList());
  }

  static Placement notPlaced(AttemptId attempt) {
    return new Placement.NotPlaced(
        attempt,
        new Placement.Decision(
            "test 1", "no node fits now", Map.of(NODE, new Refusal("resources.lacking", "full"))));
  }

  /** Places on the node whatever is asked for now. */
  List<AttemptId> placeAsked() {
    List<AttemptId> attempts = asked();
    placeAll(NODE, 1, attempts);
    return attempts;
  }

  void runs(NodeId from, AttemptId attempt) {
    status(from, new AttemptStatus(attempt, Phase.RUNNING, Duration.ZERO, Optional.empty()));
  }

  void ended(NodeId from, AttemptId attempt, Outcome outcome) {
    status(from, new AttemptStatus(attempt, Phase.ENDED, Duration.ZERO, Optional.of(outcome)));
  }

  void succeeds(NodeId from, AttemptId attempt) {
    ended(from, attempt, new Outcome.Succeeded(new Outcome.Result.Stored(content(attempt))));
  }

  void fails(NodeId from, AttemptId attempt, boolean retry) {
    fails(from, attempt, "command.failed", retry);
  }

  void fails(NodeId from, AttemptId attempt, String code, boolean retry) {
    ended(from, attempt, new Outcome.Failed(fault(code, retry), OptionalInt.of(1), "tail"));
  }

  private void status(NodeId from, AttemptStatus status) {
    handle(new SchedulerEvent.StatusArrived(peer(from, 1), List.of(status), ++tokens));
  }

  void answers(NodeId node, List<AttemptId> attempts, Message answer) {
    handle(new SchedulerEvent.Dispatched(node, 1, attempts, answer));
  }

  void refuses(NodeId node, AttemptId attempt, boolean retry) {
    answers(
        node,
        List.of(attempt),
        new Message.Assigned(
            List.of(new Message.Refused(attempt, fault("resources.lacking", retry)))));
  }

  static Fault fault(String code, boolean retry) {
    return new Fault(code, Fault.Category.EXTERNAL, "it went wrong", retry);
  }

  static ContentId content(AttemptId attempt) {
    return new ContentId("%064x".formatted(attempt.task().index() * 1000 + attempt.number()), 1);
  }

  // What is wanted --------------------------------------------------------------------------------

  /** Takes out the effects of one kind. */
  <T extends SchedulerEffect> List<T> take(Class<T> kind) {
    List<T> taken = effects.stream().filter(kind::isInstance).map(kind::cast).toList();
    effects.removeIf(kind::isInstance);
    return taken;
  }

  /** Attempts that the resource manager was asked for. */
  List<AttemptId> asked() {
    return requests().stream().map(Request::attempt).toList();
  }

  /** What the resource manager was asked. */
  List<Request> requests() {
    List<SchedulerEffect.Place> places = take(SchedulerEffect.Place.class);
    places.forEach(place -> lastQuestion = place.question());
    return places.stream().flatMap(place -> place.requests().stream()).toList();
  }

  /** Attempts that nodes have said are over, as the resource manager was told. */
  List<AttemptId> over() {
    return take(SchedulerEffect.Over.class).stream()
        .flatMap(over -> over.attempts().stream())
        .toList();
  }

  /** Attempts whose placements are not wanted any more. */
  List<AttemptId> withdrawn() {
    return take(SchedulerEffect.Withdraw.class).stream()
        .flatMap(withdraw -> withdraw.attempts().stream())
        .toList();
  }

  List<AttemptId> cancelled() {
    return take(SchedulerEffect.Cancel.class).stream()
        .flatMap(cancel -> cancel.attempts().stream())
        .toList();
  }

  /** What the last statuses were answered with. */
  List<AttemptId> notCurrent() {
    return take(SchedulerEffect.AnswerStatus.class).stream()
        .flatMap(answer -> answer.notCurrent().stream())
        .toList();
  }

  JobView view(int job) {
    return core.view(jobId(job)).orElseThrow();
  }

  Task task(int job, int index) {
    return core.job(jobId(job)).orElseThrow().task(index).orElseThrow();
  }
}
