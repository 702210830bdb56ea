package dev.weft.scheduler;

import dev.weft.api.Amount;
import dev.weft.api.AttemptId;
import dev.weft.api.ContentId;
import dev.weft.api.Demand;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.bus.Role;
import dev.weft.api.job.Command;
import dev.weft.api.job.Input;
import dev.weft.api.job.JobSpec;
import dev.weft.api.job.Merge;
import dev.weft.api.job.Shard;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.core.bus.Peer;
import dev.weft.core.job.JobView;
import dev.weft.core.message.Message;
import dev.weft.core.message.Outcome;
import dev.weft.core.resources.Placement;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A scheduler with model nodes in virtual time. Messages are lost, doubled, late and out of order;
 * nodes crash, restart and stand still. All chance comes from the seed.
 */
final class SimulatedCluster {
  private static final Duration PERIOD = Duration.ofSeconds(2);
  private static final int PERIODS = 4;
  private static final Duration GRACE = Duration.ofSeconds(3);
  private static final double LOSS = 0.1;
  private static final int CAPACITY = 3;

  private final Random random;
  private final SchedulerCore core =
      new SchedulerCore(
          new SchedulerSettings(
              16,
              Duration.ofSeconds(1),
              Duration.ofSeconds(15),
              new Message.StatusRules(PERIOD, PERIODS, GRACE),
              10));
  private final PriorityQueue<Happening> agenda =
      new PriorityQueue<>(Comparator.comparing(Happening::at).thenComparingLong(Happening::number));
  private final List<Node> nodes = new ArrayList<>();
  private final Map<AttemptId, Node> held = new HashMap<>();
  private final Map<Integer, Integer> counted = new HashMap<>();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private long number;
  private boolean calm;

  private record Happening(Instant at, long number, Runnable action) {}

  /** A node that runs attempts, with its own idea of time when it stands still. */
  private final class Node {
    final NodeId id;
    long boot = 1;
    boolean alive = true;
    boolean listed;
    Instant stillUntil = Instant.MIN;
    final Map<AttemptId, Instant> running = new HashMap<>();
    final Map<AttemptId, Outcome> ended = new HashMap<>();

    Node(int index) {
      id = new NodeId(String.format("%064x", index + 1));
    }

    Peer peer() {
      return new Peer(
          id,
          boot,
          "node",
          Set.of(Role.AGENT),
          InetSocketAddress.createUnresolved("localhost", 1),
          "test");
    }

    boolean answers() {
      return alive && !now.isBefore(stillUntil);
    }
  }

  SimulatedCluster(long seed, int nodeCount) {
    random = new Random(seed);
    for (int i = 0; i < nodeCount; i++) {
      Node node = new Node(i);
      nodes.add(node);
      listUp(node);
      statusEachPeriod(node);
    }
    everySecond();
  }

  /** Runs a job; returns it when it has ended and every node is calm, or after an hour. */
  Job run(int shards) {
    JobId id = new JobId("0".repeat(32));
    JobSpec spec =
        new JobSpec(
            "simulated",
            new Command(List.of("true"), new TreeMap<>(Map.of()), Optional.empty()),
            List.of(),
            new Input.Count(shards),
            Demand.of(Resources.ree(Amount.of(1000, 0, 0))),
            Duration.ofHours(1),
            100,
            new Merge.Concatenate(),
            Optional.empty(),
            50);
    tell(new SchedulerEvent.Accepted(id, spec));
    Instant end = now.plus(Duration.ofHours(1));
    for (int i = 0; i < 6; i++) {
      later(1_000 + random.nextInt(60_000), this::mishap);
    }
    later(90_000, () -> calm = true);
    Job job = core.job(id).orElseThrow();
    while (now.isBefore(end) && !(calm && job.isEnded() && core.holding() == 0)) {
      Happening next = agenda.poll();
      now = next.at();
      next.action().run();
    }
    return job;
  }

  /** How often each shard was counted as done. */
  Map<Integer, Integer> counted() {
    return counted;
  }

  /** Amounts that nobody gave back. */
  Set<AttemptId> held() {
    return held.keySet();
  }

  private void later(long millis, Runnable action) {
    agenda.add(new Happening(now.plusMillis(millis), number++, action));
  }

  /** A message under way: lost, late, or there twice. */
  private void send(Runnable arrival) {
    int copies = calm ? 1 : random.nextDouble() < LOSS ? 0 : random.nextDouble() < LOSS ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      later(1 + random.nextInt(calm ? 20 : 800), arrival);
    }
  }

  private void everySecond() {
    later(
        500,
        () -> {
          carryOut(core.tick(now));
          everySecond();
        });
  }

  private void mishap() {
    Node node = nodes.get(random.nextInt(nodes.size()));
    if (random.nextBoolean()) {
      crash(node);
    } else {
      node.stillUntil = now.plusMillis(random.nextInt(40_000));
      later(10_000, () -> listDownIfSilent(node));
    }
  }

  private void crash(Node node) {
    node.alive = false;
    node.running.clear();
    node.ended.clear();
    later(10_000, () -> listDownIfSilent(node));
    later(
        random.nextInt(30_000),
        () -> {
          node.alive = true;
          node.boot++;
          listUp(node);
        });
  }

  private void listDownIfSilent(Node node) {
    if (!node.answers() && node.listed) {
      node.listed = false;
      held.values().removeIf(holder -> holder == node);
      tell(
          new SchedulerEvent.NodeDown(
              node.peer(), new Fault("peer.silent", Fault.Category.EXTERNAL, "silent", true)));
      comeBack(node);
    }
  }

  private void comeBack(Node node) {
    later(
        1_000,
        () -> {
          if (node.answers()) {
            listUp(node);
          } else {
            comeBack(node);
          }
        });
  }

  private void listUp(Node node) {
    if (node.answers()) {
      node.listed = true;
      tell(new SchedulerEvent.NodeUp(node.peer()));
    }
  }

  private void tell(SchedulerEvent event) {
    carryOut(core.handle(event, now));
  }

  private void carryOut(List<SchedulerEffect> effects) {
    for (SchedulerEffect effect : effects) {
      if (effect instanceof SchedulerEffect.Split split) {
        int count = ((Input.Count) split.spec().input()).count();
        List<Shard> shards =
            IntStream.range(0, count).<Shard>mapToObj(i -> new Shard.Index()).toList();
        later(
            5,
            () ->
                tell(
                    new SchedulerEvent.Split(
                        split.job(), new JobSplitter.Result.Cut(shards, List.of(), ""))));
      } else if (effect instanceof SchedulerEffect.Place place) {
        later(1, () -> tell(new SchedulerEvent.Placements(place(place.requests()))));
      } else if (effect instanceof SchedulerEffect.Dispatch dispatch) {
        dispatch(dispatch);
      } else if (effect instanceof SchedulerEffect.Cancel cancel) {
        send(() -> cancel(node(cancel.node()), cancel.attempts()));
      } else if (effect instanceof SchedulerEffect.Release release) {
        release.attempts().forEach(held::remove);
      } else if (effect instanceof SchedulerEffect.Deliver deliver) {
        deliver.results().forEach(piece -> counted.merge(piece.task().index(), 1, Integer::sum));
        later(5, () -> tell(new SchedulerEvent.Delivered(deliver.job())));
      }
    }
  }

  private Node node(NodeId id) {
    return nodes.stream().filter(node -> node.id.equals(id)).findFirst().orElseThrow();
  }

  private List<Placement> place(List<Request> requests) {
    List<Placement> answers = new ArrayList<>();
    Placement.Decision decision = new Placement.Decision("model 1", "fits", Map.of());
    for (Request request : requests) {
      Optional<Node> fits =
          nodes.stream()
              .filter(node -> node.listed && holding(node) < CAPACITY)
              .min(Comparator.comparingLong(this::holding));
      fits.ifPresent(node -> held.put(request.attempt(), node));
      answers.add(
          fits.<Placement>map(
                  node ->
                      new Placement.Placed(
                          request.attempt(), decision, node.id, node.boot, Resources.NONE, 1))
              .orElseGet(() -> new Placement.NotPlaced(request.attempt(), decision)));
    }
    return answers;
  }

  private long holding(Node node) {
    return held.values().stream().filter(holder -> holder == node).count();
  }

  private void dispatch(SchedulerEffect.Dispatch dispatch) {
    Node node = node(dispatch.node());
    List<AttemptId> attempts =
        dispatch.assignments().stream().map(Message.Assignment::attempt).toList();
    boolean[] answered = new boolean[1];
    send(
        () -> {
          if (!node.answers()) {
            return;
          }
          List<Message.Refused> refused = new ArrayList<>();
          for (AttemptId attempt : attempts) {
            Optional<Fault> fault = accept(node, dispatch.boot(), attempt);
            fault.ifPresent(why -> refused.add(new Message.Refused(attempt, why)));
          }
          send(() -> answerOnce(node, attempts, new Message.Assigned(refused), answered));
        });
    later(
        5_000,
        () ->
            answerOnce(
                node,
                attempts,
                new Message.Failed(
                    new Fault("peer.silent", Fault.Category.EXTERNAL, "no answer", true)),
                answered));
  }

  private void answerOnce(Node node, List<AttemptId> attempts, Message answer, boolean[] answered) {
    if (!answered[0]) {
      answered[0] = true;
      tell(new SchedulerEvent.Dispatched(node.id, attempts, answer));
    }
  }

  private Optional<Fault> accept(Node node, long boot, AttemptId attempt) {
    if (boot != node.boot || node.ended.containsKey(attempt)) {
      return Optional.of(new Fault("node.boot", Fault.Category.EXTERNAL, "another boot", true));
    }
    if (!node.running.containsKey(attempt)) {
      if (node.running.size() >= CAPACITY) {
        return Optional.of(new Fault("node.full", Fault.Category.RESOURCES, "full", true));
      }
      node.running.put(attempt, now);
      later(100 + random.nextInt(20_000), () -> finish(node, attempt, outcome()));
    }
    return Optional.empty();
  }

  private Outcome outcome() {
    return random.nextInt(20) == 0 && !calm
        ? new Outcome.Failed(
            new Fault("command.failed", Fault.Category.USER, "exit code 1", true),
            OptionalInt.of(1),
            "")
        : new Outcome.Succeeded(new Outcome.Result.Stored(new ContentId("a".repeat(64), 1)));
  }

  private void finish(Node node, AttemptId attempt, Outcome outcome) {
    if (node.running.remove(attempt) != null) {
      node.ended.put(attempt, outcome);
      status(node);
    }
  }

  private void cancel(Node node, List<AttemptId> attempts) {
    if (node.answers()) {
      attempts.forEach(attempt -> finish(node, attempt, new Outcome.Stopped("asked")));
      send(() -> tell(new SchedulerEvent.CancelHeard(attempts)));
    }
  }

  private void statusEachPeriod(Node node) {
    later(
        PERIOD.toMillis(),
        () -> {
          if (node.answers()) {
            List<AttemptId> forgotten =
                node.running.entrySet().stream()
                    .filter(
                        entry -> now.isAfter(entry.getValue().plus(PERIOD.multipliedBy(PERIODS))))
                    .map(Map.Entry::getKey)
                    .toList();
            forgotten.forEach(attempt -> finish(node, attempt, new Outcome.Stopped("no answer")));
            status(node);
          }
          statusEachPeriod(node);
        });
  }

  private void status(Node node) {
    if (!node.answers() || (node.running.isEmpty() && node.ended.isEmpty())) {
      return;
    }
    List<Message.AttemptStatus> statuses = new ArrayList<>();
    for (AttemptId attempt : node.running.keySet()) {
      statuses.add(
          new Message.AttemptStatus(
              attempt, Message.Phase.RUNNING, Duration.ZERO, Optional.empty()));
    }
    node.ended.forEach(
        (attempt, outcome) ->
            statuses.add(
                new Message.AttemptStatus(
                    attempt, Message.Phase.ENDED, Duration.ZERO, Optional.of(outcome))));
    Peer from = node.peer();
    for (int i = 0; i < statuses.size(); i += Message.Status.MAXIMUM_ATTEMPTS) {
      List<Message.AttemptStatus> some =
          statuses.subList(i, Math.min(statuses.size(), i + Message.Status.MAXIMUM_ATTEMPTS));
      send(() -> arrive(node, from, List.copyOf(some), now));
    }
  }

  private void arrive(Node node, Peer from, List<Message.AttemptStatus> statuses, Instant sent) {
    List<SchedulerEffect> effects =
        core.handle(new SchedulerEvent.StatusArrived(from, statuses, 0), now);
    carryOut(effects);
    for (SchedulerEffect effect : effects) {
      if (effect instanceof SchedulerEffect.AnswerStatus answer) {
        send(() -> answered(node, from, statuses, answer.notCurrent(), sent));
      }
    }
  }

  private void answered(
      Node node,
      Peer asked,
      List<Message.AttemptStatus> statuses,
      List<AttemptId> notCurrent,
      Instant sent) {
    if (!node.answers() || node.boot != asked.boot()) {
      return;
    }
    for (Message.AttemptStatus status : statuses) {
      node.running.computeIfPresent(
          status.attempt(), (id, last) -> sent.isAfter(last) ? sent : last);
      if (status.outcome().isPresent()) {
        node.ended.remove(status.attempt());
      }
    }
    notCurrent.forEach(node.running::remove);
  }

  /** For messages of a failed test. */
  String describe(Job job) {
    JobView view = job.view();
    return view.state() + " " + view.counts() + " " + view.fault() + " holding " + core.holding();
  }
}
