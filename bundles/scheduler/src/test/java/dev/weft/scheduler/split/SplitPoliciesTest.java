package dev.weft.scheduler.split;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weft.api.policy.PlacementPolicy;
import dev.weft.api.policy.SplitPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SplitPoliciesTest {
  @Test
  void theSuccessorStaysWhenTheOldOneGoesAfterIt() {
    SplitPolicies policies = new SplitPolicies();
    SplitPolicy old = (request, pool, seed) -> List.of();
    SplitPolicy successor = (request, pool, seed) -> List.of(new SplitPolicy.Piece(0, 1));

    policies.setPolicy(old, Map.of(PlacementPolicy.NAME, "a", PlacementPolicy.VERSION, "1"));
    policies.setPolicy(successor, Map.of(PlacementPolicy.NAME, "b", PlacementPolicy.VERSION, "2"));
    policies.unsetPolicy(old);

    assertEquals(Optional.of(new SplitPolicies.Active(successor, "b 2")), policies.active());

    policies.unsetPolicy(successor);

    assertEquals(Optional.empty(), policies.active());
  }
}
