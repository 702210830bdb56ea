package dev.weft.agent;

import static dev.weft.agent.AgentCoreDriver.AUTHORITY;
import static dev.weft.agent.AgentCoreDriver.BOOT;
import static dev.weft.agent.AgentCoreDriver.MANAGER;
import static dev.weft.agent.AgentCoreDriver.OTHER;
import static dev.weft.agent.AgentCoreDriver.SUCCESS;
import static dev.weft.agent.AgentCoreDriver.assignment;
import static dev.weft.agent.AgentCoreDriver.attempt;
import static dev.weft.agent.AgentCoreDriver.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.AttemptId;
import dev.weft.core.message.Message;
import dev.weft.core.message.Message.Correction;
import dev.weft.core.resources.Authority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a node believes, names and refuses (B3 to B8). */
class VersionsTest {
  private final AgentCoreDriver driver = AgentCoreDriver.ready(2_000);

  private List<AgentEffect.SendReport> reports() {
    return driver.take(AgentEffect.SendReport.class);
  }

  private Message.Report nextReport() {
    driver.pass(Duration.ofMillis(300));
    return reports().get(0).report();
  }

  private List<AttemptId> cancel(AttemptId... attempts) {
    List<Message> answers = new ArrayList<>();
    driver.handle(
        new AgentEvent.Cancel(MANAGER, new Message.Cancel(List.of(attempts)), answers::add));
    driver.take(AgentEffect.Answer.class).forEach(one -> one.reply().accept(one.answer()));
    return ((Message.Cancelled) answers.get(0)).over();
  }

  @Test
  void aManagerThatComesIsAskedForItsTermFirst() {
    AgentCoreDriver fresh = new AgentCoreDriver();
    fresh.handle(new AgentEvent.Cleared());
    fresh.look(2_000, 0, 1);
    fresh.handle(new AgentEvent.ManagerUp(MANAGER));
    fresh.idle();
    AgentEffect.SendReport first = fresh.take(AgentEffect.SendReport.class).get(0);
    assertEquals(0, first.report().term());
    fresh.tick();
    assertEquals(List.of(), fresh.take(AgentEffect.SendReport.class), "one at a time");
    fresh.answer(first, Correction.NONE, 0);
    fresh.idle();
    assertEquals(1, fresh.take(AgentEffect.SendReport.class).get(0).report().term());
  }

  @Test
  void eachRelationTakesWhatItSays() {
    assertTrue(VersionRules.Relation.NEWER.holds(3, 2));
    assertFalse(VersionRules.Relation.NEWER.holds(2, 2));
    assertTrue(VersionRules.Relation.NOT_OLDER.holds(2, 2));
    assertFalse(VersionRules.Relation.NOT_OLDER.holds(1, 2));
    assertTrue(VersionRules.Relation.NEXT.holds(3, 2));
    assertFalse(VersionRules.Relation.NEXT.holds(4, 2));
    assertTrue(VersionRules.Relation.ANY.holds(1, 2));
  }

  @Test
  void versionsAreKeptPerGroupAndOfManyGroupsTheLatest() {
    Versions versions = new Versions(VersionRules.Relation.NEWER);
    versions.dispatched("a", 5);
    versions.dispatched("a", 4);
    assertEquals(5, versions.version("a"));
    assertEquals(0, versions.version("b"));
    for (int i = 0; i < Versions.MAXIMUM_GROUPS; i++) {
      versions.dispatched("group " + i, 1);
    }
    assertEquals(0, versions.version("a"));
  }

  @Test
  void aVersionThatIsSentIsTaken() {
    driver.assign(attempt(0, 1), 100);
    assertEquals(1, nextReport().version());
    driver.answering = false;
    driver.pass(Duration.ofSeconds(5));
    driver.answer(reports().get(0), Correction.TAKE, -7);
    driver.pass(Duration.ofSeconds(5));
    assertEquals(-7, reports().get(0).report().version());
  }

  @Test
  void whoHearsThatVersionsDifferSendsAnUpdateAfterAWhile() {
    driver.answering = false;
    driver.pass(Duration.ofSeconds(5));
    driver.answer(reports().get(0), Correction.DIFFERS, 0);
    driver.pass(Duration.ofSeconds(4));
    driver.answering = true;
    driver.pass(Duration.ofSeconds(2));
    List<AgentEffect.SendReport> sent = reports();
    assertTrue(sent.stream().anyMatch(one -> one.report().update()), sent::toString);
  }

  @Test
  void whoHearsThatVersionsAgreeAgainSendsNone() {
    driver.answering = false;
    driver.pass(Duration.ofSeconds(5));
    driver.answer(reports().get(0), Correction.DIFFERS, 0);
    driver.look(1_900, 0, 1);
    driver.pass(Duration.ofMillis(300));
    driver.answer(reports().get(0), Correction.AGREES, 0);
    driver.answering = true;
    driver.pass(Duration.ofSeconds(20));
    assertFalse(reports().stream().anyMatch(one -> one.report().update()));
  }

  @Test
  void theEndIsNamedToEachManagerUntilItAcknowledges() {
    driver.answering = false;
    driver.assign(attempt(0, 1), 100);
    driver.end(attempt(0, 1), SUCCESS);
    driver.pass(Duration.ofMillis(300));
    AgentEffect.SendReport lost = reports().get(0);
    assertEquals(List.of(attempt(0, 1)), lost.report().over());
    driver.handle(new AgentEvent.ReportAnswered(MANAGER, lost.report().number(), Optional.empty()));
    driver.pass(Duration.ofSeconds(2));
    AgentEffect.SendReport again = reports().get(0);
    assertEquals(List.of(attempt(0, 1)), again.report().over());
    driver.answer(again, Correction.NONE, 0);
    driver.pass(Duration.ofSeconds(6));
    assertEquals(List.of(), reports().get(0).report().over());
  }

  @Test
  void ofVeryManyEndsTheOldestAreNotNamed() {
    driver.answering = false;
    for (int task = 0; task <= ReportPlan.MAXIMUM_OVER; task++) {
      driver.assign(attempt(task, 1), 0);
      driver.end(attempt(task, 1), SUCCESS);
    }
    List<AttemptId> over = nextReport().over();
    assertEquals(ReportPlan.MAXIMUM_OVER, over.size());
    assertFalse(over.contains(attempt(0, 1)));
  }

  @Test
  void whatWasRefusedIsNamedAndNeverStarts() {
    assertEquals("node.full", driver.assign(attempt(0, 1), 9_000).get(0).fault().code());
    assertEquals(List.of(attempt(0, 1)), nextReport().over());
    assertEquals("attempt.superseded", driver.assign(attempt(0, 1), 100).get(0).fault().code());
  }

  @Test
  void whatIsCancelledBeforeItArrivesIsRefused() {
    assertEquals(List.of(attempt(0, 1)), cancel(attempt(0, 1)));
    assertEquals("attempt.superseded", driver.assign(attempt(0, 1), 100).get(0).fault().code());
  }

  @Test
  void whatRunsIsOverOnlyWhenItHasEnded() {
    driver.assign(attempt(0, 1), 100);
    assertEquals(List.of(), cancel(attempt(0, 1)));
    assertEquals(1, driver.take(AgentEffect.StopRun.class).size());
    driver.end(attempt(0, 1), SUCCESS);
    assertEquals(List.of(attempt(0, 1)), cancel(attempt(0, 1)));
  }

  @Test
  void aManagerOfTheSameGroupMayCancel() {
    driver.assign(attempt(0, 1), 100);
    driver.handle(new AgentEvent.ManagerUp(OTHER));
    driver.idle(); // its answer says that it is of the same group
    driver.handle(
        new AgentEvent.Cancel(OTHER, new Message.Cancel(List.of(attempt(0, 1))), answer -> {}));
    assertEquals(1, driver.take(AgentEffect.StopRun.class).size());
  }

  @Test
  void whatAnEarlierLeaderGaveIsRefused() {
    driver.answering = false;
    driver.pass(Duration.ofSeconds(5));
    AgentEffect.SendReport sent = reports().get(0);
    driver.handle(
        new AgentEvent.ReportAnswered(
            MANAGER,
            sent.report().number(),
            Optional.of(
                new Message.Reported(
                    new Authority(AUTHORITY.group(), 2), List.of(), Correction.NONE, 0, false))));
    driver.idle();
    assertEquals(2, reports().get(0).report().term(), "said at once");
    assertEquals("node.term", driver.assign(attempt(0, 1), 100).get(0).fault().code());
  }

  @Test
  void labelsAndInventoryAreSaidOnceAndWhenAsked() {
    driver.answering = false;
    driver.pass(Duration.ofSeconds(5));
    AgentEffect.SendReport plain = reports().get(0);
    assertEquals(Optional.empty(), plain.report().description());
    driver.handle(
        new AgentEvent.ReportAnswered(
            MANAGER,
            plain.report().number(),
            Optional.of(new Message.Reported(AUTHORITY, List.of(), Correction.NONE, 0, true))));
    driver.pass(Duration.ofSeconds(5));
    assertTrue(reports().get(0).report().description().isPresent());
  }

  @Test
  void aDispatchOfAnotherBootChangesNothing() {
    driver.assign(MANAGER, request(BOOT + 1, assignment(attempt(0, 1), 100)));
    assertEquals(0, driver.core.known());
  }
}
