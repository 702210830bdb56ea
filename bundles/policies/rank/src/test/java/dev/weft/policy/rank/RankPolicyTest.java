package dev.weft.policy.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.weft.api.NodeId;
import dev.weft.api.policy.PlacementPolicy;
import dev.weft.testkit.policy.PlacementPolicyContract;
import dev.weft.testkit.policy.Pool;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RankPolicyTest extends PlacementPolicyContract {
  @Override
  protected PlacementPolicy policy() {
    return new RankPolicy(new RankPolicy.Weights(1, 1, 1));
  }

  @Test
  void theHighestWeightedSumWins() {
    Pool pool = Pool.of(Pool.node(1, 4, 4096, 0), Pool.node(2, 2, 8192, 0));
    assertEquals(Pool.id(2), first(policy(), pool));
    assertEquals(Pool.id(1), first(new RankPolicy(new RankPolicy.Weights(3, 1, 1)), pool));
  }

  @Test
  void equalSumsGoByCoresThenMemoryThenId() {
    assertEquals(
        Pool.id(2), first(policy(), Pool.of(Pool.node(1, 2, 4096, 0), Pool.node(2, 4, 2048, 0))));
    assertEquals(
        Pool.id(2),
        first(
            new RankPolicy(new RankPolicy.Weights(1, 0, 0)),
            Pool.of(Pool.node(1, 2, 2048, 0), Pool.node(2, 2, 4096, 0))));
    assertEquals(
        Pool.id(1), first(policy(), Pool.of(Pool.node(2, 2, 2048, 0), Pool.node(1, 2, 2048, 0))));
  }

  @Test
  void laterRequestsSeeWhatEarlierOnesTook() {
    Pool pool = Pool.of(Pool.node(1, 3, 1024, 0), Pool.node(2, 2, 1024, 0));
    List<PlacementPolicy.Decision> decisions =
        policy()
            .place(
                List.of(
                    request(0, Pool.resources(2, 1, 0)),
                    request(1, Pool.resources(2, 1, 0)),
                    request(2, Pool.resources(2, 1, 0))),
                pool,
                1);
    assertEquals(Pool.id(1), proposal(decisions.get(0)).node());
    assertEquals(Pool.id(2), proposal(decisions.get(1)).node());
    var refused = assertInstanceOf(PlacementPolicy.Decision.NoNode.class, decisions.get(2));
    assertEquals("needs 2 cpu, has 1 cpu free", refused.reasons().get(Pool.id(1)).message());
  }

  @Test
  void saysWhichNodesWerePassedOver() {
    Pool pool = Pool.of(Pool.node(1, 1, 65_536, 0), Pool.node(2, 2, 1024, 0));
    var proposal =
        proposal(policy().place(List.of(request(0, Pool.resources(2, 1, 0))), pool, 1).get(0));
    assertEquals("rank 3.00, first that fits after 1 with higher rank", proposal.reason());
    assertEquals(Set.of(Pool.id(1)), proposal.passedOver().keySet());
  }

  private static NodeId first(PlacementPolicy policy, Pool pool) {
    return proposal(policy.place(List.of(request(0, Pool.resources(1, 1, 0))), pool, 1).get(0))
        .node();
  }

  private static PlacementPolicy.Decision.Proposal proposal(PlacementPolicy.Decision decision) {
    return assertInstanceOf(PlacementPolicy.Decision.Proposal.class, decision);
  }
}
