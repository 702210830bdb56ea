package dev.weft.agent;

import static dev.weft.agent.AgentCoreDriver.BOOT;
import static dev.weft.agent.AgentCoreDriver.MANAGER;
import static dev.weft.agent.AgentCoreDriver.OTHER;
import static dev.weft.agent.AgentCoreDriver.SUCCESS;
import static dev.weft.agent.AgentCoreDriver.assignment;
import static dev.weft.agent.AgentCoreDriver.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.Amount;
import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.TaskId;
import dev.weft.core.message.Message;
import dev.weft.core.message.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything that can happen, in any order: what must always hold, holds. */
class AgentCoreRandomTest {
  private static final int STEPS = 4_000;
  private static final int TASKS = 12;

  private Random random = new Random(0);
  private String seen = "";
  private final AgentCoreDriver driver = new AgentCoreDriver();
  private long offeredMilli = 4_000;

  // What the world outside the core knows.
  private final Map<AttemptId, Resources> running = new LinkedHashMap<>();
  private final Set<AttemptId> stopping = new HashSet<>();
  private final Map<AttemptId, Outcome> outcomes = new HashMap<>();
  private final Set<AttemptId> started = new HashSet<>();
  private final Set<AttemptId> acknowledged = new HashSet<>();
  private final Set<AttemptId> unwanted = new HashSet<>();
  private final Set<NodeId> up = new HashSet<>();
  private final List<AgentEffect.SendStatus> underWay = new ArrayList<>();
  private final List<AgentEffect.SendReport> reports = new ArrayList<>();
  private final Set<NodeId> reporting = new HashSet<>();
  private final int[] nextNumber = new int[TASKS * 2];
  private final Map<AttemptId, Resources> assigned = new HashMap<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void holds(long seed) {
    random = new Random(seed);
    seen = "seed " + seed;
    driver.handle(new AgentEvent.Cleared());
    driver.look(offeredMilli, 0, AgentCoreDriver.GIB);
    up(MANAGER);
    for (int i = 0; i < STEPS; i++) {
      seen = "seed " + seed + ", step " + i;
      step();
      check();
    }
    settle();
  }

  private void step() {
    int kind = random.nextInt(100);
    NodeId manager = random.nextInt(4) == 0 ? OTHER : MANAGER;
    if (random.nextInt(3) == 0) {
      answerReport(random.nextInt(4) > 0);
    }
    if (kind < 30) {
      assign(manager);
    } else if (kind < 55) {
      endOne();
    } else if (kind < 70) {
      answerOne(random.nextInt(3) > 0);
    } else if (kind < 75) {
      cancel(manager);
    } else if (kind < 78) {
      down(manager);
    } else if (kind < 82) {
      up(manager);
    } else if (kind < 84) {
      offeredMilli = 1_000L + random.nextInt(5_000);
      driver.look(offeredMilli, random.nextDouble() * 8, AgentCoreDriver.GIB);
    } else if (kind < 85) {
      driver.now = driver.now.plusSeconds(30);
      driver.tick();
    } else {
      driver.pass(Duration.ofMillis(100 + random.nextInt(900)));
    }
    driver.idle();
  }

  private void assign(NodeId manager) {
    int task = random.nextInt(TASKS) + (manager.equals(MANAGER) ? 0 : TASKS);
    if (random.nextBoolean()) {
      nextNumber[task]++;
    }
    int number = Math.max(1, nextNumber[task] - random.nextInt(2));
    AttemptId attempt = new AttemptId(new TaskId(AgentCoreDriver.JOB, task), number);
    if (outcomes.containsKey(attempt)) {
      return; // A scheduler does not assign what it has heard the end of.
    }
    Resources resources =
        assigned.computeIfAbsent(
            attempt, id -> Resources.ree(Amount.of(random.nextInt(2_500), 0, 0)));
    driver.handle(
        new AgentEvent.Assign(
            manager,
            request(
                BOOT,
                new Message.Assignment(
                    attempt,
                    assignment(attempt, 0).shard(),
                    resources,
                    Resources.NONE,
                    driver.effects.size())),
            answer -> {}));
  }

  private void endOne() {
    List<AttemptId> all = new ArrayList<>(running.keySet());
    if (all.isEmpty()) {
      return;
    }
    AttemptId attempt = all.get(random.nextInt(all.size()));
    running.remove(attempt);
    Outcome outcome =
        stopping.contains(attempt)
            ? new Outcome.Stopped("x")
            : random.nextBoolean() ? SUCCESS : AgentCoreDriver.failure("no", "tail");
    driver.handle(new AgentEvent.Ended(attempt, outcome));
    if (random.nextInt(10) == 0) {
      driver.handle(new AgentEvent.PhaseChanged(attempt, Message.Phase.RUNNING));
      driver.handle(new AgentEvent.Ended(attempt, outcome));
    }
  }

  private void answerOne(boolean arrives) {
    if (underWay.isEmpty()) {
      return;
    }
    AgentEffect.SendStatus sent = underWay.remove(random.nextInt(underWay.size()));
    if (!arrives) {
      driver.handle(new AgentEvent.StatusAnswered(sent.number(), Optional.empty()));
      return;
    }
    List<AttemptId> notCurrent = new ArrayList<>();
    for (Message.AttemptStatus status : sent.status().attempts()) {
      if (status.outcome().isPresent()) {
        acknowledged.add(status.attempt());
      } else if (random.nextInt(8) == 0) {
        notCurrent.add(status.attempt());
        unwanted.add(status.attempt());
      }
    }
    driver.handle(
        new AgentEvent.StatusAnswered(
            sent.number(), Optional.of(new Message.StatusReceived(notCurrent))));
  }

  private void cancel(NodeId manager) {
    List<AttemptId> some = new ArrayList<>(started);
    if (!some.isEmpty()) {
      AttemptId attempt = some.get(random.nextInt(some.size()));
      driver.handle(
          new AgentEvent.Cancel(manager, new Message.Cancel(List.of(attempt)), answer -> {}));
    }
  }

  private void up(NodeId manager) {
    // What was under way before belongs to the link before.
    reports.removeIf(sent -> sent.manager().equals(manager));
    reporting.remove(manager);
    up.add(manager);
    driver.handle(new AgentEvent.ManagerUp(manager));
  }

  private void down(NodeId manager) {
    up.remove(manager);
    driver.handle(new AgentEvent.ManagerDown(manager));
    underWay.removeIf(
        sent -> {
          boolean lost = sent.manager().equals(manager);
          if (lost) {
            driver.handle(new AgentEvent.StatusAnswered(sent.number(), Optional.empty()));
          }
          return lost;
        });
  }

  private void check() {
    List<AgentEffect> effects = List.copyOf(driver.effects);
    driver.effects.clear();
    for (AgentEffect effect : effects) {
      if (effect instanceof AgentEffect.StopRun stop) {
        assertTrue(started.contains(stop.attempt()), seen);
        assertTrue(stopping.add(stop.attempt()), () -> seen + ": stopped twice");
      } else if (effect instanceof AgentEffect.StartRun start) {
        checkStart(start.request().attempt());
      } else if (effect instanceof AgentEffect.SendStatus status) {
        checkStatus(status);
        underWay.add(status);
      } else if (effect instanceof AgentEffect.SendReport report) {
        checkReport(report);
      }
    }
  }

  private void checkReport(AgentEffect.SendReport sent) {
    assertTrue(up.contains(sent.manager()), seen);
    assertTrue(reporting.add(sent.manager()), () -> seen + ": two reports under way");
    Message.Report report = sent.report();
    assertEquals(running.keySet(), Set.copyOf(report.held()), seen);
    for (AttemptId attempt : report.over()) {
      assertFalse(running.containsKey(attempt), () -> seen + ": over but runs: " + attempt);
    }
    reports.add(sent);
  }

  private void answerReport(boolean arrives) {
    if (reports.isEmpty()) {
      return;
    }
    AgentEffect.SendReport sent = reports.remove(random.nextInt(reports.size()));
    reporting.remove(sent.manager());
    if (arrives) {
      driver.answer(sent, Message.Correction.NONE, 0);
    } else {
      driver.handle(
          new AgentEvent.ReportAnswered(sent.manager(), sent.report().number(), Optional.empty()));
    }
  }

  private void checkStart(AttemptId attempt) {
    assertTrue(started.add(attempt), () -> seen + ": started twice: " + attempt);
    for (AttemptId other : running.keySet()) {
      assertTrue(
          !other.task().equals(attempt.task()) || stopping.contains(other),
          () -> seen + ": " + attempt + " starts beside " + other);
    }
    running.put(attempt, assigned.get(attempt));
    Resources given = running.values().stream().reduce(Resources.NONE, Resources::plus);
    Resources offered = Resources.ree(Amount.of(offeredMilli, 8 * AgentCoreDriver.GIB, 0));
    assertTrue(
        offered.covers(given), () -> seen + ": " + given + " given, " + offered + " offered");
  }

  private void checkStatus(AgentEffect.SendStatus sent) {
    assertTrue(up.contains(sent.manager()), () -> seen + ": told a manager that is down");
    for (Message.AttemptStatus status : sent.status().attempts()) {
      AttemptId attempt = status.attempt();
      assertFalse(acknowledged.contains(attempt), () -> seen + ": told again: " + attempt);
      assertFalse(unwanted.contains(attempt), () -> seen + ": told though unwanted: " + attempt);
      if (status.outcome().isPresent()) {
        assertFalse(running.containsKey(attempt), () -> seen + ": ended but runs: " + attempt);
        Outcome before = outcomes.putIfAbsent(attempt, status.outcome().get());
        assertTrue(
            before == null || before.equals(status.outcome().get()),
            () -> seen + ": two outcomes: " + attempt);
      } else {
        assertTrue(running.containsKey(attempt), () -> seen + ": running but over: " + attempt);
      }
    }
  }

  /** Everything ends and is answered: nothing is left, and all is free again. */
  private void settle() {
    up(MANAGER);
    up(OTHER);
    check();
    for (int i = 0; i < 200; i++) {
      seen = seen + ".";
      endOne();
      driver.idle();
      check();
      while (!reports.isEmpty()) {
        answerReport(true);
      }
      while (!underWay.isEmpty()) {
        answerOne(true);
        driver.idle();
        check();
      }
      driver.pass(Duration.ofSeconds(1));
      check();
    }
    assertEquals(0, driver.core.known(), seen);
    assertEquals(
        Resources.ree(Amount.of(offeredMilli, 8 * AgentCoreDriver.GIB, 0)),
        driver.core.free(),
        seen);
    for (AttemptId attempt : started) {
      assertTrue(
          outcomes.containsKey(attempt) || unwanted.contains(attempt),
          () -> seen + ": no outcome of " + attempt);
    }
  }
}
