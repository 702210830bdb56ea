package dev.weft.agent;

import dev.weft.agent.run.AttemptFolders;
import dev.weft.agent.run.AttemptRunner;
import dev.weft.agent.run.LogReader;
import dev.weft.agent.run.RunListener;
import dev.weft.api.AttemptId;
import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import dev.weft.api.bus.Role;
import dev.weft.core.bus.Bus;
import dev.weft.core.bus.MessageHandler;
import dev.weft.core.bus.Peer;
import dev.weft.core.bus.PeerListener;
import dev.weft.core.loop.Loop;
import dev.weft.core.message.Message;
import dev.weft.core.message.Outcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the core its thread: turns messages, peers and runs into events, and effects into calls.
 * All public methods may be called from any thread and return at once.
 */
final class AgentLoop
    implements Loop.Handler<AgentEvent>, MessageHandler, PeerListener, RunListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AgentLoop.class);
  private static final int CAPACITY = 16_384;
  private static final Duration TICK = Duration.ofMillis(100);
  private static final Duration REPORT_DEADLINE = Duration.ofSeconds(5);

  private final AgentCore core;
  private final Bus bus;
  private final AttemptFolders folders;
  private final Loop<AgentEvent> loop;
  // What must not be lost when the queue is full. Bounded by the runs and messages under way.
  private final Set<NodeId> known = ConcurrentHashMap.newKeySet();
  private final Queue<AgentEvent> overflow = new ConcurrentLinkedQueue<>();
  private Optional<Runs> runs = Optional.empty();

  /** What runs attempts and reads their outputs. */
  record Runs(AttemptRunner runner, LogReader logs) {}

  AgentLoop(AgentCore core, Bus bus, AttemptFolders folders, Clock clock) {
    this.core = Objects.requireNonNull(core, "core");
    this.bus = Objects.requireNonNull(bus, "bus");
    this.folders = Objects.requireNonNull(folders, "folders");
    this.loop = new Loop<>("weft-agent", CAPACITY, TICK, clock, this);
  }

  /** Starts; to be called once, before anything can call the other methods. */
  void start(Runs with) {
    runs = Optional.of(with);
    loop.start();
  }

  /** Something has happened that must not be lost. */
  void tell(AgentEvent event) {
    if (!overflow.isEmpty() || !loop.offer(event)) {
      overflow.add(event);
    }
  }

  @Override
  public Set<Class<? extends Message>> kinds() {
    return Set.of(Message.Assign.class, Message.Cancel.class, Message.ReadLog.class);
  }

  @Override
  public void handle(Peer from, Message request, Consumer<Message> answer) {
    if (!from.roles().contains(Role.MANAGER)) {
      answer.accept(
          failed("peer.role", "only managers may ask this of a node", Fault.Category.USER, false));
    } else if (request instanceof Message.ReadLog read) {
      runs.orElseThrow().logs().read(read, answer);
    } else if (request instanceof Message.Assign assign) {
      ask(new AgentEvent.Assign(from.id(), assign, answer), answer);
    } else if (request instanceof Message.Cancel cancel) {
      ask(new AgentEvent.Cancel(from.id(), cancel, answer), answer);
    } else {
      throw new IllegalArgumentException("not served here: " + request);
    }
  }

  private void ask(AgentEvent event, Consumer<Message> answer) {
    if (!loop.offer(event)) {
      answer.accept(
          failed(
              "agent.busy",
              "too many requests wait on this node; try again",
              Fault.Category.RESOURCES,
              true));
    }
  }

  private static Message failed(
      String code, String message, Fault.Category category, boolean retry) {
    return new Message.Failed(new Fault(code, category, message, retry));
  }

  @Override
  public void peerUp(Peer peer) {
    if (peer.roles().contains(Role.MANAGER)) {
      tell(new AgentEvent.ManagerUp(peer.id()));
    }
  }

  @Override
  public void peerDown(Peer peer, Fault reason) {
    if (peer.roles().contains(Role.MANAGER)) {
      known.remove(peer.id());
      tell(new AgentEvent.ManagerDown(peer.id()));
    }
  }

  @Override
  public void phaseChanged(AttemptId attempt, Message.Phase phase) {
    tell(new AgentEvent.PhaseChanged(attempt, phase));
  }

  @Override
  public void ended(AttemptId attempt, Outcome outcome) {
    tell(new AgentEvent.Ended(attempt, outcome));
  }

  @Override
  public void handle(AgentEvent event, Instant now) {
    apply(core.handle(event, now));
  }

  @Override
  public void tick(Instant now) {
    for (AgentEvent event = overflow.poll(); event != null; event = overflow.poll()) {
      apply(core.handle(event, now));
    }
    apply(core.tick(now));
  }

  @Override
  public void idle(Instant now) {
    apply(core.idle(now));
  }

  private void apply(List<AgentEffect> effects) {
    AttemptRunner runner = runs.orElseThrow().runner();
    for (AgentEffect effect : effects) {
      if (effect instanceof AgentEffect.SendStatus status) {
        send(status);
      } else if (effect instanceof AgentEffect.SendReport report) {
        send(report);
      } else if (effect instanceof AgentEffect.Answer answer) {
        answer.reply().accept(answer.answer());
      } else if (effect instanceof AgentEffect.StartRun start) {
        runner.start(start.request());
      } else if (effect instanceof AgentEffect.StopRun stop) {
        runner.stop(stop.attempt(), stop.grace());
      } else if (effect instanceof AgentEffect.Forget forget) {
        LOG.debug("{} is forgotten: {}", forget.attempt(), forget.reason());
        folders.retire(forget.attempt());
      }
    }
  }

  private void send(AgentEffect.SendStatus status) {
    bus.request(status.manager(), status.status(), status.deadline())
        .thenAccept(
            answer ->
                tell(
                    new AgentEvent.StatusAnswered(
                        status.number(),
                        answer instanceof Message.StatusReceived received
                            ? Optional.of(received)
                            : Optional.empty())));
  }

  private void send(AgentEffect.SendReport report) {
    bus.request(report.manager(), report.report(), REPORT_DEADLINE)
        .thenAccept(
            answer ->
                reported(
                    report,
                    answer instanceof Message.Reported reported
                        ? Optional.of(reported)
                        : Optional.empty()));
  }

  private void reported(AgentEffect.SendReport report, Optional<Message.Reported> answer) {
    if (answer.isPresent() && known.add(report.manager())) {
      LOG.info("reported to manager {}: ready for work", report.manager());
    }
    tell(new AgentEvent.ReportAnswered(report.manager(), report.report().number(), answer));
  }

  /** Stops; runs are not touched. */
  @Override
  public void close() {
    loop.close();
  }
}
