package dev.weft.agent;

import dev.weft.api.Amount;
import dev.weft.api.AttemptId;
import dev.weft.api.Bytes;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.TaskId;
import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.job.Command;
import dev.weft.api.job.Shard;
import dev.weft.core.message.Message;
import dev.weft.core.message.Outcome;
import dev.weft.core.resources.Authority;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/** Drives a core in virtual time and keeps what it asks for. */
final class AgentCoreDriver {
  static final NodeId MANAGER = new NodeId("a".repeat(64));
  static final NodeId OTHER = new NodeId("b".repeat(64));
  static final JobId JOB = new JobId("c".repeat(32));
  static final Authority AUTHORITY = new Authority("group", 1);
  static final long BOOT = 7;
  static final long GIB = 1L << 30;
  static final Duration PERIOD = Duration.ofSeconds(2);
  static final Duration GRACE = Duration.ofSeconds(3);
  static final Message.StatusRules RULES = new Message.StatusRules(PERIOD, 3, GRACE);
  static final Outcome SUCCESS =
      new Outcome.Succeeded(new Outcome.Result.Inline(Bytes.of("result")));

  final AgentCore core = new AgentCore(BOOT, 0, Duration.ofSeconds(5), VersionRules.DEFAULT);

  /** Whether every report is answered at once, and all that it names as over acknowledged. */
  boolean answering;

  final List<AgentEffect> effects = new ArrayList<>();
  Instant now = Instant.parse("2026-01-01T00:00:00Z");

  /** A core that has reported once to a manager that is up. */
  static AgentCoreDriver ready(long cpuMilli) {
    AgentCoreDriver driver = new AgentCoreDriver();
    driver.handle(new AgentEvent.Cleared());
    driver.look(cpuMilli, 0.0, 8 * GIB);
    driver.handle(new AgentEvent.ManagerUp(MANAGER));
    driver.answering = true;
    driver.idle();
    driver.idle();
    driver.take(AgentEffect.SendReport.class);
    return driver;
  }

  void answer(AgentEffect.SendReport sent, Message.Correction correction, long version) {
    handle(
        new AgentEvent.ReportAnswered(
            sent.manager(),
            sent.report().number(),
            Optional.of(
                new Message.Reported(
                    AUTHORITY, sent.report().over(), correction, version, false))));
  }

  void look(long cpuMilli, double load, long available) {
    Inventory inventory =
        new Inventory(
            List.of(
                new Device.Cpu("x86_64", "test", 8, load),
                new Device.Memory(16 * GIB, available, OptionalLong.empty())),
            List.of());
    handle(
        new AgentEvent.Looked(
            inventory,
            Resources.ree(Amount.of(cpuMilli, 8 * GIB, 0)),
            new TreeMap<>(Map.of("os", "linux"))));
  }

  void handle(AgentEvent event) {
    effects.addAll(core.handle(event, now));
  }

  void idle() {
    add(core.idle(now));
  }

  void tick() {
    add(core.tick(now));
  }

  private void add(List<AgentEffect> more) {
    effects.addAll(more);
    for (AgentEffect effect : more) {
      if (answering && effect instanceof AgentEffect.SendReport report) {
        answer(report, Message.Correction.NONE, 0);
      }
    }
  }

  /** Lets time pass in ticks of 100 ms. */
  void pass(Duration time) {
    Instant end = now.plus(time);
    while (now.isBefore(end)) {
      now = now.plusMillis(100);
      tick();
      idle();
    }
  }

  /** Takes the effects of a kind out of what was asked for. */
  <E extends AgentEffect> List<E> take(Class<E> kind) {
    List<E> taken = effects.stream().filter(kind::isInstance).map(kind::cast).toList();
    effects.removeIf(kind::isInstance);
    return taken;
  }

  static AttemptId attempt(int task, int number) {
    return new AttemptId(new TaskId(JOB, task), number);
  }

  static Message.Assignment assignment(AttemptId attempt, long cpuMilli) {
    return new Message.Assignment(
        attempt, new Shard.Index(), Resources.ree(Amount.of(cpuMilli, 0, 0)), Resources.NONE, 1);
  }

  static Message.Assign request(long boot, Message.Assignment... assignments) {
    Command command = new Command(List.of("true"), new TreeMap<>(), Optional.empty());
    return new Message.Assign(
        boot,
        AUTHORITY,
        new Message.JobPart(JOB, command, List.of(), Duration.ofMinutes(1), 10, 4711),
        RULES,
        List.of(assignments));
  }

  /** Assigns, and returns what was refused. */
  List<Message.Refused> assign(NodeId manager, Message.Assign request) {
    AtomicReference<Message> answer = new AtomicReference<>();
    handle(new AgentEvent.Assign(manager, request, answer::set));
    take(AgentEffect.Answer.class).forEach(one -> one.reply().accept(one.answer()));
    return ((Message.Assigned) answer.get()).refused();
  }

  List<Message.Refused> assign(AttemptId attempt, long cpuMilli) {
    return assign(MANAGER, request(BOOT, assignment(attempt, cpuMilli)));
  }

  void end(AttemptId attempt, Outcome outcome) {
    handle(new AgentEvent.Ended(attempt, outcome));
    idle();
  }

  void answer(AgentEffect.SendStatus status, AttemptId... notCurrent) {
    handle(
        new AgentEvent.StatusAnswered(
            status.number(), Optional.of(new Message.StatusReceived(List.of(notCurrent)))));
    idle();
  }

  static Outcome failure(String message, String tail) {
    return new Outcome.Failed(
        new Fault("command.failed", Fault.Category.USER, message, true), OptionalInt.of(1), tail);
  }
}
