package dev.weft.agent;

import static dev.weft.agent.AgentCoreDriver.BOOT;
import static dev.weft.agent.AgentCoreDriver.GRACE;
import static dev.weft.agent.AgentCoreDriver.MANAGER;
import static dev.weft.agent.AgentCoreDriver.OTHER;
import static dev.weft.agent.AgentCoreDriver.PERIOD;
import static dev.weft.agent.AgentCoreDriver.SUCCESS;
import static dev.weft.agent.AgentCoreDriver.assignment;
import static dev.weft.agent.AgentCoreDriver.attempt;
import static dev.weft.agent.AgentCoreDriver.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.Amount;
import dev.weft.api.Environment;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import dev.weft.core.message.Message;
import dev.weft.core.message.Message.Phase;
import dev.weft.core.message.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AgentCoreTest {
  private final AgentCoreDriver driver = AgentCoreDriver.ready(2_000);

  private List<AgentEffect.SendStatus> statuses() {
    return driver.take(AgentEffect.SendStatus.class);
  }

  @Test
  void refusesWhatDoesNotFitAndSaysWhatIsMissing() {
    List<Message.Refused> refused =
        driver.assign(
            MANAGER,
            request(BOOT, assignment(attempt(0, 1), 1_500), assignment(attempt(1, 1), 1_000)));
    assertEquals(1, refused.size());
    assertEquals(attempt(1, 1), refused.get(0).attempt());
    assertEquals("node.full", refused.get(0).fault().code());
    assertEquals(
        "1 cpu wanted, 0.5 free here; place it elsewhere or wait",
        refused.get(0).fault().message());
    assertTrue(refused.get(0).fault().retry());
    assertEquals(1, driver.take(AgentEffect.StartRun.class).size());
  }

  @Test
  void refusesWhatIsMeantForAnotherBoot() {
    List<Message.Refused> refused =
        driver.assign(MANAGER, request(BOOT - 1, assignment(attempt(0, 1), 1)));
    assertEquals("node.boot", refused.get(0).fault().code());
  }

  @Test
  void neitherReportsNorStartsBeforeTheRemainsAreGone() {
    AgentCoreDriver fresh = new AgentCoreDriver();
    fresh.look(2_000, 0, 1);
    fresh.handle(new AgentEvent.ManagerUp(MANAGER));
    fresh.pass(Duration.ofSeconds(20));
    assertEquals(List.of(), fresh.take(AgentEffect.SendReport.class));
    assertEquals("node.starting", fresh.assign(attempt(0, 1), 1).get(0).fault().code());
    fresh.handle(new AgentEvent.Cleared());
    fresh.idle();
    assertEquals(1, fresh.take(AgentEffect.SendReport.class).size());
  }

  @Test
  void anAttemptAssignedTwiceStartsOnce() {
    assertEquals(List.of(), driver.assign(attempt(0, 1), 1_500));
    assertEquals(List.of(), driver.assign(attempt(0, 1), 1_500));
    assertEquals(1, driver.take(AgentEffect.StartRun.class).size());
  }

  @Test
  void aHigherAttemptStopsTheOneBeforeAndALowerOneIsRefused() {
    driver.assign(attempt(0, 1), 100);
    driver.assign(attempt(0, 2), 100);
    assertEquals(
        List.of(new AgentEffect.StopRun(attempt(0, 1), GRACE)),
        driver.take(AgentEffect.StopRun.class));
    driver.end(attempt(0, 1), new Outcome.Stopped("x"));
    assertEquals(
        "attempt 2 of the task has taken its place", stoppedReason(statuses().get(0).status()));
    driver.handle(new AgentEvent.ManagerUp(OTHER));
    assertEquals(
        "attempt.superseded",
        driver.assign(OTHER, request(BOOT, assignment(attempt(0, 3), 100))).get(0).fault().code());
    driver.assign(attempt(1, 2), 100);
    assertEquals("attempt.superseded", driver.assign(attempt(1, 1), 100).get(0).fault().code());
    assertEquals(3, driver.take(AgentEffect.StartRun.class).size());
  }

  @Test
  void anEndIsSaidAtOnceAndRepeatedUntilAnswered() {
    driver.assign(attempt(0, 1), 2_000);
    driver.end(attempt(0, 1), SUCCESS);
    AgentEffect.SendStatus first = statuses().get(0);
    assertEquals(Optional.of(SUCCESS), first.status().attempts().get(0).outcome());
    assertEquals(PERIOD, first.deadline());

    driver.handle(new AgentEvent.StatusAnswered(first.number(), Optional.empty()));
    driver.pass(PERIOD.minusMillis(200));
    assertEquals(List.of(), statuses());
    driver.pass(Duration.ofMillis(300));
    AgentEffect.SendStatus second = statuses().get(0);
    driver.answer(second);
    assertEquals(1, driver.take(AgentEffect.Forget.class).size());
    assertEquals("attempt.superseded", driver.assign(attempt(0, 1), 1).get(0).fault().code());
    driver.pass(PERIOD.multipliedBy(5));
    assertEquals(List.of(), statuses());
    assertEquals(0, driver.core.known());
  }

  @Test
  void endsShareMessagesWhileOthersAreUnderWay() {
    AgentCoreDriver wide = AgentCoreDriver.ready(100_000);
    IntStream.range(0, 40).forEach(task -> wide.assign(attempt(task, 1), 1));
    for (int task = 0; task < 40; task++) {
      wide.end(attempt(task, 1), SUCCESS);
    }
    List<Integer> sizes =
        wide.take(AgentEffect.SendStatus.class).stream()
            .map(sent -> sent.status().attempts().size())
            .toList();
    assertEquals(List.of(1, 1, 1, 1), sizes);
    wide.tick();
    assertEquals(36, wide.take(AgentEffect.SendStatus.class).get(0).status().attempts().size());
  }

  @Test
  void longOutcomesAreSpreadOverMessages() {
    AgentCoreDriver wide = AgentCoreDriver.ready(100_000);
    IntStream.range(0, 40).forEach(task -> wide.assign(attempt(task, 1), 1));
    Outcome longOne = AgentCoreDriver.failure("ü".repeat(2_000), "€".repeat(1_365));
    for (int task = 0; task < 40; task++) {
      wide.handle(new AgentEvent.Ended(attempt(task, 1), longOne));
    }
    wide.tick();
    List<AgentEffect.SendStatus> sent = wide.take(AgentEffect.SendStatus.class);
    assertEquals(40, sent.stream().mapToInt(one -> one.status().attempts().size()).sum());
    for (AgentEffect.SendStatus one : sent) {
      int bytes = one.status().attempts().stream().mapToInt(WireSize::of).sum();
      assertTrue(bytes <= StatusPlan.MAXIMUM_BYTES, "message of " + bytes + " bytes");
    }
  }

  @Test
  void runningAttemptsAreToldOnceAPeriodInOneMessage() {
    driver.assign(attempt(0, 1), 100);
    driver.assign(attempt(1, 1), 100);
    driver.pass(PERIOD);
    List<AgentEffect.SendStatus> sent = statuses();
    assertEquals(1, sent.size());
    assertEquals(2, sent.get(0).status().attempts().size());
    assertEquals(PERIOD, sent.get(0).status().attempts().get(0).elapsed());
  }

  @Test
  void aChangeOfPhaseIsToldSoon() {
    driver.assign(attempt(0, 1), 100);
    driver.handle(new AgentEvent.PhaseChanged(attempt(0, 1), Phase.RUNNING));
    driver.pass(Duration.ofMillis(200));
    assertEquals(Phase.RUNNING, statuses().get(0).status().attempts().get(0).phase());
  }

  @Test
  void stopsAfterThreePeriodsWithoutAnswerAndFreesWhenItIsGone() {
    driver.assign(attempt(0, 1), 1_500);
    driver.pass(PERIOD);
    driver.answer(statuses().get(0));
    driver.handle(new AgentEvent.ManagerDown(MANAGER));
    driver.pass(PERIOD.multipliedBy(3).minusMillis(100));
    assertEquals(List.of(), driver.take(AgentEffect.StopRun.class));
    driver.pass(Duration.ofMillis(100));
    assertEquals(1, driver.take(AgentEffect.StopRun.class).size());
    assertEquals("node.full", driver.assign(attempt(1, 1), 1_000).get(0).fault().code());
    driver.end(attempt(0, 1), new Outcome.Stopped("x"));
    assertEquals(List.of(), driver.assign(attempt(1, 2), 1_000));
    assertEquals(List.of(), statuses());
    driver.handle(new AgentEvent.ManagerUp(MANAGER));
    assertEquals(
        "its manager answered no status for 6000 ms", stoppedReason(statuses().get(0).status()));
  }

  @Test
  void afterAPauseOfTheProcessTheStopComesFirst() {
    driver.assign(attempt(0, 1), 100);
    driver.pass(PERIOD);
    AgentEffect.SendStatus sent = statuses().get(0);
    driver.effects.clear();
    driver.now = driver.now.plusSeconds(30);
    driver.handle(
        new AgentEvent.StatusAnswered(
            sent.number(), Optional.of(new Message.StatusReceived(List.of()))));
    driver.tick();
    assertEquals(
        new AgentEffect.StopRun(attempt(0, 1), GRACE),
        driver.effects.get(0),
        driver.effects::toString);
  }

  @Test
  void whatIsNotCurrentIsStoppedAndNeverToldAgain() {
    driver.assign(attempt(0, 1), 100);
    driver.pass(PERIOD);
    driver.answer(statuses().get(0), attempt(0, 1));
    assertEquals(1, driver.take(AgentEffect.StopRun.class).size());
    driver.end(attempt(0, 1), new Outcome.Stopped("x"));
    assertEquals(1, driver.take(AgentEffect.Forget.class).size());
    driver.pass(PERIOD.multipliedBy(4));
    assertEquals(List.of(), statuses());
    assertEquals(2_000, driver.core.free().in(Environment.REE).get(ResourceType.CPU));
  }

  @Test
  void onlyItsOwnManagerCancels() {
    driver.assign(attempt(0, 1), 100);
    driver.handle(
        new AgentEvent.Cancel(OTHER, new Message.Cancel(List.of(attempt(0, 1))), m -> {}));
    assertEquals(List.of(), driver.take(AgentEffect.StopRun.class));
    driver.handle(
        new AgentEvent.Cancel(
            MANAGER, new Message.Cancel(List.of(attempt(0, 1), attempt(9, 9))), m -> {}));
    assertEquals(1, driver.take(AgentEffect.StopRun.class).size());
    driver.end(attempt(0, 1), AgentCoreDriver.failure("exit code 143", ""));
    assertEquals("cancelled", stoppedReason(statuses().get(0).status()));
  }

  @Test
  void aResultThatCameBeforeTheStopCounts() {
    driver.assign(attempt(0, 1), 100);
    driver.handle(
        new AgentEvent.Cancel(MANAGER, new Message.Cancel(List.of(attempt(0, 1))), m -> {}));
    driver.end(attempt(0, 1), SUCCESS);
    assertEquals(Optional.of(SUCCESS), statuses().get(0).status().attempts().get(0).outcome());
  }

  @Test
  void knowsABoundedNumberOfAttempts() {
    AgentCoreDriver wide = AgentCoreDriver.ready(100_000);
    for (int task = 0; task < AgentCore.MAXIMUM_HELD; task++) {
      assertEquals(List.of(), wide.assign(attempt(task, 1), 0));
    }
    assertEquals("node.full", wide.assign(attempt(9_999, 1), 0).get(0).fault().code());
    wide.handle(new AgentEvent.ManagerDown(MANAGER));
    for (int task = 0; task < AgentCore.MAXIMUM_KNOWN; task++) {
      wide.assign(attempt(task, 1), 0);
      wide.effects.clear();
      wide.end(attempt(task, 1), SUCCESS);
    }
    assertEquals("node.full", wide.assign(attempt(9_998, 1), 0).get(0).fault().code());
    wide.now = wide.now.plus(AgentCore.OUTCOME_KEPT);
    wide.tick();
    assertEquals(0, wide.core.known());
  }

  @Test
  void theReportNamesWhatIsHeldAndWhatIsFree() {
    driver.assign(attempt(0, 1), 500);
    driver.pass(Duration.ofSeconds(1));
    List<AgentEffect.SendReport> reports = driver.take(AgentEffect.SendReport.class);
    assertEquals(1, reports.size());
    Message.Report report = reports.get(0).report();
    assertEquals(List.of(attempt(0, 1)), report.held());
    assertEquals(3, report.number());
    assertEquals(BOOT, report.boot());
    assertEquals(1, report.version());
    assertEquals(driver.core.free(), report.free());
    assertEquals(report.offered(), report.free().plus(Resources.ree(Amount.of(500, 0, 0))));
  }

  private static String stoppedReason(Message.Status status) {
    return status.attempts().stream()
        .flatMap(one -> one.outcome().stream())
        .map(outcome -> ((Outcome.Stopped) outcome).reason())
        .findFirst()
        .orElseThrow();
  }
}
