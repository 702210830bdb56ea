package dev.weft.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.weft.api.Environment;
import dev.weft.api.NodeId;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import dev.weft.api.policy.Refusal;
import dev.weft.core.resources.Placement.Decision;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DecisionsTest {
  private static Decision decision() {
    return new Decision(
        "rank 1.0.0",
        "no node fits now",
        Map.of(new NodeId("a1".repeat(32)), new Refusal("resources.lacking", "needs 8 cpu")),
        List.of(new Resources.Lack(Environment.REE, ResourceType.CPU, 8_000, 2_000)));
  }

  @Test
  void equalDecisionsBecomeOneObjectAndLoseNothing() {
    Decisions decisions = new Decisions();
    Decision first = decisions.shared(decision());
    assertEquals(decision(), first);
    assertSame(first, decisions.shared(decision()));
  }
}
