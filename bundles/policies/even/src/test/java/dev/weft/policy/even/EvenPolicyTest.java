package dev.weft.policy.even;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weft.api.Amount;
import dev.weft.api.Demand;
import dev.weft.api.Resources;
import dev.weft.api.policy.SplitPolicy;
import dev.weft.testkit.policy.Pool;
import dev.weft.testkit.policy.SplitPolicyContract;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class EvenPolicyTest extends SplitPolicyContract {
  @Override
  protected SplitPolicy policy() {
    return new EvenPolicy();
  }

  @Test
  void sizesDifferByOneAtMost() {
    assertEquals(
        List.of(
            new SplitPolicy.Piece(0, 4), new SplitPolicy.Piece(4, 7), new SplitPolicy.Piece(7, 10)),
        split(10, OptionalInt.of(3), Pool.of()));
  }

  @Test
  void fourPiecesForEachTaskThatFitsAtOnce() {
    Pool pool = Pool.of(Pool.node(1, 2, 65_536, 0), Pool.node(2, 64, 1024, 0));
    assertEquals(4 * (2 + 4), split(1_000_000, OptionalInt.empty(), pool).size());
  }

  @Test
  void graphicsProcessorsOfANodeCountTogether() {
    Pool pool = Pool.of(Pool.node(1, 64, 65_536, 2));
    Demand share = Demand.of(Resources.ree(Amount.of(1_000, 1 << 20, 500)));
    assertEquals(
        4 * 4,
        policy()
            .split(new SplitPolicy.Request(1_000_000, OptionalInt.empty(), share, 1000), pool, 1)
            .size());
  }

  @Test
  void neverMorePiecesThanUnits() {
    assertEquals(2, split(2, OptionalInt.of(5), Pool.of()).size());
  }

  private List<SplitPolicy.Piece> split(long units, OptionalInt shards, Pool pool) {
    return policy()
        .split(
            new SplitPolicy.Request(units, shards, Demand.of(Pool.resources(1, 256, 0)), 1000),
            pool,
            1);
  }
}
