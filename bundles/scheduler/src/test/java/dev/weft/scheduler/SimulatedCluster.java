package dev.weft.scheduler;

import dev.weft.api.AttemptId;
import dev.weft.api.ContentId;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.TaskId;
import dev.weft.api.bus.Role;
import dev.weft.api.job.JobSpec;
import dev.weft.api.job.Shard;
import dev.weft.core.bus.Peer;
import dev.weft.core.job.JobView;
import dev.weft.core.job.TaskView;
import dev.weft.core.message.Message;
import dev.weft.scheduler.simulation.SimulatedNetwork;
import dev.weft.scheduler.simulation.SimulatedNode;
import dev.weft.scheduler.simulation.SimulatedPool;
import dev.weft.scheduler.simulation.VirtualTime;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A real {@link SchedulerCore} among simulated nodes, in virtual time. Checks at each step what
 * must never break, and throws an {@link AssertionError} that says what did:
 *
 * <ul>
 *   <li>attempt numbers of a task rise, and only one attempt of a task is current;
 *   <li>no amount is given back while its attempt runs on a node that is not taken for dead (I1);
 *   <li>the result of each shard is counted once, and is that of the attempt that succeeded (I2).
 * </ul>
 */
final class SimulatedCluster {
  private static final long LEASE_MILLIS = 10_000;
  private static final long DEADLINE_MILLIS = 5_000;
  private static final NodeId MANAGER = new NodeId("f".repeat(NodeId.LENGTH));

  final VirtualTime time = new VirtualTime();
  final Random random;
  final SimulatedPool pool = new SimulatedPool(this::checkGivenBack);
  final SimulatedNetwork network;
  final SchedulerCore core;
  final Map<NodeId, SimulatedNode> nodes = new TreeMap<>();
  private final SchedulerSettings settings;
  private final Map<JobId, Integer> shards = new HashMap<>();
  private final Map<JobId, List<SchedulerEffect.Piece>> delivered = new HashMap<>();
  private final Set<JobId> offered = new HashSet<>();
  private final Map<NodeId, Long> upWithBoot = new HashMap<>();
  private final Map<NodeId, Long> lastAnswer = new HashMap<>();
  private final Map<TaskId, Integer> lastNumber = new HashMap<>();
  private final Set<AttemptId> givenBack = new HashSet<>();
  private final Set<AttemptId> takenForDead = new HashSet<>();
  private final Map<Long, Consumer<Message.StatusReceived>> unanswered = new HashMap<>();
  private long tokens;
  private int refusedByNodes;

  SimulatedCluster(long seed, SchedulerSettings settings) {
    this.random = new Random(seed);
    this.settings = settings;
    this.network = new SimulatedNetwork(time, random);
    this.core = new SchedulerCore(settings, new Random(seed), time.now());
    handle(new SchedulerEvent.Managers(List.of(MANAGER), Optional.of(MANAGER)));
    time.every(Duration.ofMillis(100), this::tick);
  }

  /** Adds a node that is up. */
  SimulatedNode add(int number, long coresMilli, long longestRunMillis) {
    NodeId id = new NodeId("%064x".formatted(number));
    SimulatedNode node =
        new SimulatedNode(
            id, coresMilli, time, random, () -> 1 + random.nextLong(longestRunMillis));
    nodes.put(id, node);
    node.connect(
        status -> {
          long sent = time.millis();
          network.send(() -> arrive(node, status, sent));
        },
        attempt -> checkStart(node, attempt));
    time.every(settings.rules().period(), node::report);
    up(node);
    return node;
  }

  /** Submits a job. */
  JobId submit(int number, JobSpec spec, int count) {
    JobId job = new JobId("%08x%024x".formatted(number, 0));
    shards.put(job, count);
    handle(new SchedulerEvent.Accepted(job, spec, "ann"));
    return job;
  }

  void cancel(JobId job) {
    handle(new SchedulerEvent.CancelAsked(job));
  }

  /** A node crashes; its manager notices when the lease ends or when it is back. */
  void crash(SimulatedNode node, long backAfterMillis) {
    node.crash();
    time.after(
        backAfterMillis,
        () -> {
          node.restart();
          up(node);
        });
  }

  /** A node is stopped for a while. */
  void pause(SimulatedNode node, long millis) {
    node.stop(true);
    time.after(millis, () -> node.stop(false));
  }

  /** Runs until every job has ended and nothing is held any more. */
  void runToEnd(Duration longest) {
    while (!isQuiet()) {
      if (time.millis() > longest.toMillis()) {
        throw new AssertionError(
            "not at rest after %s: %s; %d in flight, pool has given %s"
                .formatted(
                    longest,
                    core.jobs().stream()
                        .map(job -> job.view(true))
                        .filter(view -> !view.state().isFinal())
                        .toList(),
                    core.inFlight(),
                    pool.given()));
      }
      time.step();
    }
  }

  /** Runs for a while. */
  void run(Duration duration) {
    long end = time.millis() + duration.toMillis();
    while (time.millis() < end) {
      time.step();
    }
  }

  private boolean isQuiet() {
    return core.inFlight() == 0 && pool.isIdle() && core.jobs().stream().allMatch(Job::isEnded);
  }

  /** Attempts that nodes refused. */
  int refusedByNodes() {
    return refusedByNodes;
  }

  /** The results that a job's result was made of. */
  List<SchedulerEffect.Piece> delivered(JobId job) {
    return delivered.getOrDefault(job, List.of());
  }

  // Between the core and the world ----------------------------------------------------------------

  private void tick() {
    for (SimulatedNode node : nodes.values()) {
      if (node.answers()) {
        lastAnswer.put(node.id(), time.millis());
        if (!upWithBoot.containsKey(node.id())) {
          up(node); // resumed, or back before anybody noticed
        }
      } else if (upWithBoot.containsKey(node.id())
          && time.millis() - lastAnswer.get(node.id()) > LEASE_MILLIS) {
        down(node);
      }
    }
    pool.unwanted().forEach(this::askAbout);
    carryOut(core.tick(time.now()));
    checkJobs();
  }

  private void askAbout(NodeId id, List<AttemptId> unwanted) {
    SimulatedNode node = nodes.get(id);
    long boot = node.boot();
    request(
        node,
        new Message.Cancel(unwanted),
        answer -> {
          if (answer instanceof Message.Cancelled cancelled) {
            pool.over(id, boot, cancelled.over());
          }
        });
  }

  private void up(SimulatedNode node) {
    lastAnswer.put(node.id(), time.millis());
    upWithBoot.put(node.id(), node.boot());
    pool.up(node.id(), node.boot(), node.cores());
    handle(new SchedulerEvent.NodeUp(peer(node, node.boot())));
  }

  private void down(SimulatedNode node) {
    long boot = upWithBoot.remove(node.id());
    lastNumber.forEach(
        (task, number) -> {
          AttemptId attempt = new AttemptId(task, number);
          if (node.runs(attempt)) {
            takenForDead.add(attempt);
          }
        });
    takenForDead.addAll(pool.given());
    pool.down(node.id());
    Fault why = new Fault("lease.ended", Fault.Category.EXTERNAL, "no heartbeat", true);
    handle(new SchedulerEvent.NodeDown(peer(node, boot), why));
  }

  private static Peer peer(SimulatedNode node, long boot) {
    return new Peer(
        node.id(),
        boot,
        "node-" + node.id().hex().substring(60),
        Set.of(Role.AGENT),
        InetSocketAddress.createUnresolved("node", 1),
        "simulated");
  }

  void handle(SchedulerEvent event) {
    carryOut(core.handle(event, time.now()));
  }

  private void carryOut(List<SchedulerEffect> effects) {
    effects.forEach(this::carryOut);
  }

  private void carryOut(SchedulerEffect effect) {
    if (effect instanceof SchedulerEffect.Split split) {
      List<Shard> cut = Collections.nCopies(shards.get(split.job()), new Shard.Index());
      var result = new JobSplitter.Result.Cut(cut, List.of(), "even 1");
      time.after(5, () -> handle(new SchedulerEvent.Split(split.job(), result)));
    } else if (effect instanceof SchedulerEffect.Place place) {
      // Asked and released in one order, answered later.
      var answers = pool.place(place.requests());
      time.after(
          random.nextInt(4),
          () -> handle(new SchedulerEvent.Placements(place.question(), MANAGER, answers)));
    } else if (effect instanceof SchedulerEffect.Dispatch dispatch) {
      dispatch(dispatch);
    } else if (effect instanceof SchedulerEffect.Cancel cancel) {
      SimulatedNode node = nodes.get(cancel.node());
      request(
          node,
          new Message.Cancel(cancel.attempts()),
          answer -> {
            if (answer instanceof Message.Cancelled cancelled) {
              handle(new SchedulerEvent.Cancelled(cancel.node(), cancelled.over()));
            }
          });
    } else if (effect instanceof SchedulerEffect.Over over) {
      pool.over(over.node(), over.boot(), over.attempts());
    } else if (effect instanceof SchedulerEffect.Withdraw withdraw) {
      pool.withdraw(withdraw.attempts());
    } else if (effect instanceof SchedulerEffect.AnswerStatus answer) {
      unanswered.remove(answer.token()).accept(new Message.StatusReceived(answer.notCurrent()));
    } else if (effect instanceof SchedulerEffect.OfferMerge offer) {
      checkResults(offer.job(), offer.results());
      offered.add(offer.job());
      var content = new ContentId("%064x".formatted(1), offer.results().size());
      time.after(5, () -> handle(new SchedulerEvent.MergeOffered(offer.job(), content)));
    } else if (effect instanceof SchedulerEffect.Deliver deliver) {
      if (!offered.contains(deliver.job())) {
        checkResults(deliver.job(), deliver.results());
      }
      require(
          delivered.put(deliver.job(), deliver.results()) == null,
          deliver.job() + " is delivered twice");
      time.after(5, () -> handle(new SchedulerEvent.Delivered(deliver.job())));
    }
  }

  private void dispatch(SchedulerEffect.Dispatch dispatch) {
    List<AttemptId> attempts = new ArrayList<>();
    for (Message.Assignment assignment : dispatch.assignments()) {
      AttemptId attempt = assignment.attempt();
      attempts.add(attempt);
      Integer before = lastNumber.put(attempt.task(), attempt.number());
      require(before == null || attempt.number() > before, attempt + " follows number " + before);
    }
    var part =
        new Message.JobPart(
            dispatch.job(),
            dispatch.command(),
            dispatch.files(),
            dispatch.spec().timeLimit(),
            dispatch.tasks(),
            1);
    var assign =
        new Message.Assign(
            dispatch.boot(), dispatch.authority(), part, settings.rules(), dispatch.assignments());
    request(
        nodes.get(dispatch.node()),
        assign,
        answer -> {
          if (answer instanceof Message.Assigned assigned) {
            refusedByNodes += assigned.refused().size();
          }
          handle(new SchedulerEvent.Dispatched(dispatch.node(), dispatch.boot(), attempts, answer));
        });
  }

  private void request(SimulatedNode node, Message message, Consumer<Message> answer) {
    network.request(DEADLINE_MILLIS, node::answers, () -> node.handle(message), answer);
  }

  private void arrive(SimulatedNode node, Message.Status status, long sent) {
    if (!upWithBoot.containsKey(node.id())) {
      return; // the bus takes nothing from a peer that is not up
    }
    long token = ++tokens;
    long boot = node.boot();
    unanswered.put(
        token,
        answer ->
            network.send(
                () -> {
                  if (node.answers() && node.boot() == boot) {
                    node.answered(status, answer, sent);
                  }
                }));
    handle(
        new SchedulerEvent.StatusArrived(
            peer(node, upWithBoot.get(node.id())), status.attempts(), token));
  }

  // What must never break -------------------------------------------------------------------------

  private void checkStart(SimulatedNode node, AttemptId attempt) {
    require(
        !givenBack.contains(attempt) || takenForDead.contains(attempt),
        attempt + " starts on " + node.id() + " after its amount was given back");
  }

  private void checkGivenBack(AttemptId attempt) {
    givenBack.add(attempt);
    for (SimulatedNode node : nodes.values()) {
      require(
          !node.runs(attempt) || takenForDead.contains(attempt),
          "the amount of " + attempt + " is given back while it runs on " + node.id());
    }
  }

  private void checkResults(JobId job, List<SchedulerEffect.Piece> results) {
    int count = shards.get(job);
    require(results.size() == count, job + " has " + results.size() + " results of " + count);
    Job known = core.job(job).orElseThrow();
    for (int i = 0; i < count; i++) {
      SchedulerEffect.Piece piece = results.get(i);
      Task task = known.task(i).orElseThrow();
      List<Integer> succeeded =
          task.view(known.idOf(task), false, JobView.Desired.RUN).attempts().stream()
              .filter(attempt -> attempt.state() == TaskView.AttemptState.SUCCEEDED)
              .map(attempt -> attempt.number())
              .toList();
      require(
          piece.task().index() == i && succeeded.size() == 1,
          piece.task() + " at place " + i + " succeeded in attempts " + succeeded);
      AttemptId attempt = new AttemptId(piece.task(), succeeded.get(0));
      require(
          piece.content().equals(SimulatedNode.resultOf(attempt).content()),
          "the result of " + piece.task() + " is not that of " + attempt);
    }
  }

  private void checkJobs() {
    for (Job job : core.jobs()) {
      if (!job.changed) {
        continue;
      }
      var counts = job.view(true).counts();
      require(
          counts.waiting() >= 0
              && counts.running() >= 0
              && counts.running() + counts.waiting() + counts.done() + counts.failed()
                  <= counts.total(),
          job.id + " counts " + counts);
      job.changed = false;
    }
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }
}
