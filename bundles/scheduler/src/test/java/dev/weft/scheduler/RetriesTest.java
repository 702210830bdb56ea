package dev.weft.scheduler;

import static dev.weft.scheduler.CoreDriver.NODE;
import static dev.weft.scheduler.CoreDriver.OTHER;
import static dev.weft.scheduler.CoreDriver.attempt;
import static dev.weft.scheduler.CoreDriver.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.api.job.RetryRules;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.core.job.JobView;
import dev.weft.core.message.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How often, when and where a task is tried again. */
class RetriesTest {
  private static CoreDriver dispatched(RetryRules rules) {
    CoreDriver driver = CoreDriver.withNode();
    driver.up(OTHER, 1);
    driver.submit(1, Specs.of(1).retry(rules).spec(), 1);
    driver.placeAsked();
    return driver;
  }

  /** The request for the next try, which comes after exactly so long. */
  private static Request afterExactly(CoreDriver driver, long millis) {
    driver.pass(millis - 1);
    assertEquals(List.of(), driver.requests());
    driver.pass(1);
    List<Request> requests = driver.requests();
    assertEquals(1, requests.size());
    return requests.get(0);
  }

  private static void place(CoreDriver driver, NodeId node, Request request) {
    driver.placeAll(node, 1, List.of(request.attempt()));
  }

  @Test
  void theSameNodeIsTriedFirstAndThenAnother() {
    CoreDriver driver = dispatched(Specs.retries(2, 1));
    driver.fails(NODE, attempt(1, 0, 1), true);
    Request second = afterExactly(driver, 1_000);
    assertEquals(Optional.of(NODE), second.first());
    assertEquals(Set.of(), second.last());
    place(driver, NODE, second);
    driver.fails(NODE, second.attempt(), true);
    Request third = afterExactly(driver, 2_000);
    assertEquals(Optional.of(NODE), third.first());
    place(driver, NODE, third);
    driver.fails(NODE, third.attempt(), true);
    Request fourth = afterExactly(driver, 1_000);
    assertEquals(Optional.empty(), fourth.first());
    assertEquals(Set.of(NODE), fourth.last());
    place(driver, OTHER, fourth);
    driver.fails(OTHER, fourth.attempt(), true);
    assertEquals(JobView.State.FAILED, driver.view(1).state());
  }

  @Test
  void theBackOffIsDoubledUpToItsMaximum() {
    CoreDriver driver = dispatched(Specs.retries(0, 6));
    int number = 1;
    for (long wait : List.of(1_000, 2_000, 4_000, 8_000, 8_000, 8_000)) {
      driver.fails(NODE, attempt(1, 0, number++), true);
      place(driver, NODE, afterExactly(driver, wait));
    }
    driver.fails(NODE, attempt(1, 0, number), true);
    assertEquals(JobView.State.FAILED, driver.view(1).state());
  }

  @Test
  void aTaskThatWaitsForItsBackOffSaysSo() {
    CoreDriver driver = dispatched(Specs.retries(0, 1));
    driver.fails(NODE, attempt(1, 0, 1), true);
    assertEquals(JobView.WaitReason.BACK_OFF, driver.view(1).waiting().orElseThrow().code());
  }

  @Test
  void aLostNodeCountsAsNeither() {
    CoreDriver driver = dispatched(Specs.retries(0, 1));
    for (int i = 1; i < Task.MAXIMUM_NODES_LOST; i++) {
      driver.down(NODE, 1);
      driver.up(NODE, 1);
      driver.placeAsked();
    }
    AttemptId last = attempt(1, 0, Task.MAXIMUM_NODES_LOST);
    driver.fails(NODE, last, true);
    place(driver, NODE, afterExactly(driver, 1_000));
    assertEquals(JobView.State.RUNNING, driver.view(1).state());
  }

  @Test
  void aSilentAttemptIsTriedElsewhere() {
    CoreDriver driver = dispatched(Specs.retries(0, 0));
    driver.pass(15_001);
    Request next = driver.requests().get(0);
    assertEquals(attempt(1, 0, 2), next.attempt());
    assertEquals(Set.of(NODE), next.last());
  }

  @Test
  void anAttemptThatItsNodeStoppedMayGoThereAgain() {
    CoreDriver driver = dispatched(Specs.retries(0, 0));
    driver.ended(NODE, attempt(1, 0, 1), new Outcome.Stopped("no answer"));
    assertEquals(Set.of(), driver.requests().get(0).last());
  }

  @Test
  void onlyTheLastSixteenNodesAreAvoided() {
    CoreDriver driver = dispatched(Specs.retries(0, 100));
    driver.fails(NODE, attempt(1, 0, 1), true);
    for (int i = 2; i <= 20; i++) {
      driver.up(node(i), 1);
      driver.pass(8_000);
      place(driver, node(i), driver.requests().get(0));
      driver.fails(node(i), attempt(1, 0, i), true);
    }
    driver.pass(8_000);
    Set<NodeId> last = driver.requests().get(0).last();
    assertEquals(Request.MAXIMUM_LAST, last.size());
    assertTrue(last.contains(node(20)) && last.contains(node(5)) && !last.contains(node(4)));
  }

  @Test
  void aTaskThatRanTooLongMakesTheJobTimeOut() {
    CoreDriver driver = dispatched(Specs.retries(0, 1));
    driver.fails(NODE, attempt(1, 0, 1), "command.timeout", false);
    assertEquals(JobView.State.TIMEOUT, driver.view(1).state());
    assertEquals("command.timeout", driver.view(1).fault().orElseThrow().code());
  }
}
