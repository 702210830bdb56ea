package dev.weft.policy.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.weft.api.NodeId;
import dev.weft.api.ResourceType;
import dev.weft.api.policy.NodeOrder;
import dev.weft.api.policy.NodeOrder.Weight;
import dev.weft.api.policy.PlacementPolicy;
import dev.weft.testkit.policy.PlacementPolicyContract;
import dev.weft.testkit.policy.Pool;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RankPolicyTest extends PlacementPolicyContract {
  @Override
  protected PlacementPolicy policy() {
    return new RankPolicy(Weights.DEFAULT);
  }

  private static PlacementPolicy cpuOnly(double weight) {
    return new RankPolicy(
        new NodeOrder(new TreeMap<>(Map.of(ResourceType.CPU, new Weight(weight, 1000)))));
  }

  @Test
  void isNothingButItsOrder() {
    assertEquals(Optional.of(Weights.DEFAULT), policy().order());
  }

  @Test
  void theHighestWeightedSumWins() {
    Pool pool = Pool.of(Pool.node(1, 4, 4096, 0), Pool.node(2, 2, 8192, 0));
    assertEquals(Pool.id(2), first(policy(), pool));
    assertEquals(Pool.id(1), first(cpuOnly(1), pool));
  }

  @Test
  void eachFreeDeviceCounts() {
    Pool pool = Pool.of(Pool.node(1, 4, 4096, 0), Pool.node(2, 3, 3072, 3));
    assertEquals(Pool.id(2), first(policy(), pool)); // 3 + 3 + 3 are more than 4 + 4
  }

  @Test
  void equalSumsGoByCoresThenMemoryThenId() {
    assertEquals(
        Pool.id(2), first(policy(), Pool.of(Pool.node(1, 2, 4096, 0), Pool.node(2, 4, 2048, 0))));
    assertEquals(
        Pool.id(2), first(cpuOnly(1), Pool.of(Pool.node(1, 2, 2048, 0), Pool.node(2, 2, 4096, 0))));
    assertEquals(
        Pool.id(1), first(policy(), Pool.of(Pool.node(2, 2, 2048, 0), Pool.node(1, 2, 2048, 0))));
    assertEquals(
        Pool.id(2), first(cpuOnly(0), Pool.of(Pool.node(1, 2, 4096, 0), Pool.node(2, 3, 1024, 0))));
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
    assertEquals(Pool.id(1), node(decisions.get(0)));
    assertEquals(Pool.id(2), node(decisions.get(1)));
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

  @Test
  void saysWhenANodeWasWanted() {
    Pool pool = Pool.of(Pool.node(1, 4, 4096, 0), Pool.node(2, 2, 2048, 0));
    var wanted = preferring(0, Pool.resources(1, 1, 0), Optional.of(Pool.id(2)), Set.of());
    var unwanted = preferring(1, Pool.resources(4, 1, 0), Optional.empty(), Set.of(Pool.id(1)));
    var decisions = policy().place(List.of(wanted, unwanted), pool, 1);
    assertEquals("the node it was tried on, rank 4.00", proposal(decisions.get(0)).reason());
    assertEquals(
        "rank 8.00, first that fits after 1 tried before", proposal(decisions.get(1)).reason());
  }

  private static NodeId first(PlacementPolicy policy, Pool pool) {
    return node(policy.place(List.of(request(0, Pool.resources(1, 1, 0))), pool, 1).get(0));
  }

  private static PlacementPolicy.Decision.Proposal proposal(PlacementPolicy.Decision decision) {
    return assertInstanceOf(PlacementPolicy.Decision.Proposal.class, decision);
  }
}
