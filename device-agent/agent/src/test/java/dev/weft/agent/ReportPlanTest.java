package dev.weft.agent;

import static dev.weft.agent.AgentCoreDriver.GIB;
import static dev.weft.agent.AgentCoreDriver.MANAGER;
import static dev.weft.agent.AgentCoreDriver.OTHER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.core.message.Message;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReportPlanTest {
  private final AgentCoreDriver driver = AgentCoreDriver.ready(2_000);

  private List<Message.Report> reports() {
    return driver.take(AgentEffect.SendReport.class).stream()
        .map(AgentEffect.SendReport::report)
        .toList();
  }

  @Test
  void reportsPeriodicallyWhenNothingChanges() {
    driver.pass(Duration.ofMillis(4_900));
    assertEquals(List.of(), reports());
    driver.pass(Duration.ofMillis(100));
    assertEquals(1, reports().size());
  }

  @Test
  void anotherPeriodCountsAtOnce() {
    driver.handle(new AgentEvent.ReportPeriodChanged(Duration.ofSeconds(2)));
    driver.pass(Duration.ofSeconds(2));
    assertEquals(1, reports().size());
  }

  @Test
  void aChangedOfferIsVisibleWithinASecond() {
    driver.look(1_000, 0, 8 * GIB);
    driver.idle();
    driver.pass(Duration.ofMillis(200));
    assertEquals(1, reports().size());
  }

  @Test
  void neverMoreThanFiveASecond() {
    for (int i = 0; i < 100; i++) {
      driver.look(1_000 + i, 0, 8 * GIB);
      driver.idle();
      driver.pass(Duration.ofMillis(100));
    }
    int count = reports().size();
    assertTrue(count <= 50 && count >= 45, count + " reports in 10 s");
  }

  @Test
  void smallMovesOfTheLoadWaitForThePeriod() {
    driver.look(2_000, 1.9, 8 * GIB);
    driver.pass(Duration.ofSeconds(2));
    assertEquals(List.of(), reports());
    driver.look(2_000, 2.1, 8 * GIB);
    driver.pass(Duration.ofSeconds(1));
    assertEquals(1, reports().size());
  }

  @Test
  void lessMemoryIsReportedAtMostOnceASecond() {
    for (int i = 1; i <= 40; i++) {
      driver.look(2_000, 0, (long) (8 * GIB * Math.pow(0.9, i)));
      driver.idle();
      driver.pass(Duration.ofMillis(100));
    }
    int count = reports().size();
    assertTrue(count >= 3 && count <= 4, count + " reports in 4 s");
  }

  @Test
  void aNewManagerGetsAReportAtOnceAndTheOtherNone() {
    driver.handle(new AgentEvent.ManagerUp(OTHER));
    driver.idle();
    List<AgentEffect.SendReport> sent = driver.take(AgentEffect.SendReport.class);
    assertEquals(1, sent.size());
    assertEquals(OTHER, sent.get(0).manager());
  }

  @Test
  void aReportThatDidNotArriveIsSentAgain() {
    driver.answering = false;
    driver.pass(Duration.ofSeconds(5));
    long lost = reports().get(0).number();
    driver.handle(new AgentEvent.ReportAnswered(MANAGER, lost, Optional.empty()));
    driver.pass(Duration.ofMillis(900));
    assertEquals(List.of(), reports());
    driver.pass(Duration.ofMillis(100));
    assertEquals(lost + 1, reports().get(0).number());
  }

  @Test
  void aManagerThatIsDownGetsNone() {
    driver.handle(new AgentEvent.ManagerDown(MANAGER));
    driver.pass(Duration.ofSeconds(20));
    assertEquals(List.of(), reports());
  }
}
