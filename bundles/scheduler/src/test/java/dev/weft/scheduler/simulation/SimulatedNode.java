package dev.weft.scheduler.simulation;

import dev.weft.api.AttemptId;
import dev.weft.api.ContentId;
import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import dev.weft.core.message.Message;
import dev.weft.core.message.Message.AttemptStatus;
import dev.weft.core.message.Message.Phase;
import dev.weft.core.message.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A node with an agent that keeps to A8, B5 and B8. It can crash, start again, and be stopped for a
 * while; what runs goes on while it is stopped, but nothing is said or heard.
 */
public final class SimulatedNode {
  private final NodeId id;
  private final long coresMilli;
  private final VirtualTime time;
  private final Random random;
  private final LongSupplier runMillis;
  private final Map<AttemptId, Run> runs = new LinkedHashMap<>();
  private final Set<AttemptId> refused = new HashSet<>();
  private double failures;
  private long boot = 1;
  private boolean alive = true;
  private boolean stopped;
  private Optional<Message.StatusRules> rules = Optional.empty();
  private Consumer<Message.Status> sender = status -> {};
  private Consumer<AttemptId> started = attempt -> {};

  /** An attempt that this node has: it runs until it has an outcome. */
  private static final class Run {
    final long cores;
    long answered;
    Optional<Outcome> outcome = Optional.empty();

    Run(long cores, long now) {
      this.cores = cores;
      this.answered = now;
    }
  }

  /** A node that is up in its first boot. */
  public SimulatedNode(
      NodeId id, long coresMilli, VirtualTime time, Random random, LongSupplier runMillis) {
    this.id = id;
    this.coresMilli = coresMilli;
    this.time = time;
    this.random = random;
    this.runMillis = runMillis;
  }

  /** Where statuses go, and who hears of each attempt that really starts. */
  public void connect(Consumer<Message.Status> to, Consumer<AttemptId> onStart) {
    sender = to;
    started = onStart;
  }

  /** Share of the attempts that fail. */
  public void failures(double share) {
    failures = share;
  }

  public NodeId id() {
    return id;
  }

  public long cores() {
    return coresMilli;
  }

  public long boot() {
    return boot;
  }

  /** Whether its process is there and not stopped. */
  public boolean answers() {
    return alive && !stopped;
  }

  public boolean isAlive() {
    return alive;
  }

  /** Whether an attempt runs now. */
  public boolean runs(AttemptId attempt) {
    return alive && runs.containsKey(attempt) && runs.get(attempt).outcome.isEmpty();
  }

  /** Its process and everything that it runs dies. */
  public void crash() {
    alive = false;
    stopped = false;
    runs.clear();
  }

  /** Its process starts in the next boot. */
  public void restart() {
    boot++;
    alive = true;
  }

  /** SIGSTOP and SIGCONT. */
  public void stop(boolean stop) {
    stopped = stop;
  }

  /** A request has arrived. */
  public Message handle(Message request) {
    if (request instanceof Message.Assign assign) {
      return assign(assign);
    }
    if (request instanceof Message.Cancel cancel) {
      return cancel(cancel.attempts());
    }
    throw new AssertionError("a node does not serve " + request);
  }

  private Message cancel(List<AttemptId> attempts) {
    List<AttemptId> over = new ArrayList<>();
    for (AttemptId attempt : attempts) {
      if (runs(attempt)) {
        end(attempt, new Outcome.Stopped("cancelled"));
      }
      refused.add(attempt); // it ended at once, or is not here, or ended before
      over.add(attempt);
    }
    return new Message.Cancelled(over);
  }

  private Message assign(Message.Assign assign) {
    rules = Optional.of(assign.rules());
    List<Message.Refused> not = new ArrayList<>();
    for (Message.Assignment assignment : assign.assignments()) {
      long cores = SimulatedPool.coresOf(assignment.resources());
      if (assign.boot() != boot) {
        not.add(refuse(assignment.attempt(), "boot.other"));
      } else if (cores > coresMilli - used()) {
        not.add(refuse(assignment.attempt(), "resources.lacking"));
      } else if (refused.contains(assignment.attempt())) {
        not.add(refuse(assignment.attempt(), "attempt.cancelled"));
      } else {
        start(assignment.attempt(), cores);
      }
    }
    return new Message.Assigned(not);
  }

  private static Message.Refused refuse(AttemptId attempt, String code) {
    return new Message.Refused(
        attempt, new Fault(code, Fault.Category.RESOURCES, "not started", true));
  }

  private long used() {
    return runs.values().stream()
        .filter(run -> run.outcome.isEmpty())
        .mapToLong(run -> run.cores)
        .sum();
  }

  private void start(AttemptId attempt, long cores) {
    if (runs.putIfAbsent(attempt, new Run(cores, time.millis())) != null) {
      throw new AssertionError(attempt + " was dispatched twice to " + id);
    }
    started.accept(attempt);
    boolean fails = random.nextDouble() < failures;
    long inBoot = boot;
    time.after(
        runMillis.getAsLong(),
        () -> {
          if (alive && boot == inBoot) {
            end(attempt, fails ? failed() : new Outcome.Succeeded(resultOf(attempt)));
          }
        });
  }

  private static Outcome failed() {
    Fault fault = new Fault("command.failed", Fault.Category.USER, "exit code 1", true);
    return new Outcome.Failed(fault, OptionalInt.of(1), "it went wrong");
  }

  /** The result of an attempt: each has its own, so that it shows whose was taken. */
  public static Outcome.Result.Stored resultOf(AttemptId attempt) {
    String text = attempt.task().job().hex().substring(0, 8);
    String hex = text + "%056x".formatted(attempt.task().index() * 1000L + attempt.number());
    return new Outcome.Result.Stored(new ContentId(hex, 1));
  }

  private void end(AttemptId attempt, Outcome outcome) {
    Run run = runs.get(attempt);
    if (run != null && run.outcome.isEmpty()) {
      run.outcome = Optional.of(outcome);
      if (answers()) {
        say(List.of(attempt));
      }
    }
  }

  /** Tells of every attempt, and stops those that have heard nothing for too long (A8). */
  public void report() {
    if (!answers() || rules.isEmpty()) {
      return;
    }
    long most = rules.get().period().toMillis() * rules.get().periods();
    for (Map.Entry<AttemptId, Run> entry : List.copyOf(runs.entrySet())) {
      if (time.millis() - entry.getValue().answered > most) {
        end(entry.getKey(), new Outcome.Stopped("no answer"));
      }
    }
    say(List.copyOf(runs.keySet()));
  }

  private void say(List<AttemptId> attempts) {
    for (int from = 0; from < attempts.size(); from += Message.Status.MAXIMUM_ATTEMPTS) {
      int to = Math.min(attempts.size(), from + Message.Status.MAXIMUM_ATTEMPTS);
      sender.accept(
          new Message.Status(attempts.subList(from, to).stream().map(this::status).toList()));
    }
  }

  private AttemptStatus status(AttemptId attempt) {
    Optional<Outcome> outcome = runs.get(attempt).outcome;
    return new AttemptStatus(
        attempt, outcome.isPresent() ? Phase.ENDED : Phase.RUNNING, Duration.ZERO, outcome);
  }

  /** The manager has answered a status that was sent at the given time. */
  public void answered(Message.Status status, Message.StatusReceived answer, long sentMillis) {
    for (AttemptStatus said : status.attempts()) {
      Run run = runs.get(said.attempt());
      if (run == null) {
        continue;
      }
      run.answered = Math.max(run.answered, sentMillis);
      if (said.outcome().isPresent()) {
        runs.remove(said.attempt());
      }
    }
    answer.notCurrent().forEach(attempt -> end(attempt, new Outcome.Stopped("not current")));
  }
}
