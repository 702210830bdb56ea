package dev.weft.testkit.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.Demand;
import dev.weft.api.policy.SplitPolicy;
import dev.weft.api.policy.SplitPolicy.Piece;
import dev.weft.api.policy.SplitPolicy.Request;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What every split policy must keep. A policy's test extends this. */
public abstract class SplitPolicyContract {
  private static final Demand DEMAND = Demand.of(Pool.resources(1, 256, 0));

  /** The policy under test, with its defaults. */
  protected abstract SplitPolicy policy();

  @Test
  void coversTheInputExactlyOnce() {
    for (long seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      long units = 1 + (long) Math.pow(10, random.nextDouble() * 12);
      OptionalInt wanted =
          random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(1 + random.nextInt(5000));
      int maximum = 1 + random.nextInt(10_000);
      Request request = new Request(units, wanted, DEMAND, maximum);
      Pool pool = random.nextBoolean() ? Pool.of() : Pool.of(Pool.node(1, 4, 2048, 0));
      List<Piece> pieces = policy().split(request, pool, seed);
      long next = 0;
      for (Piece piece : pieces) {
        assertEquals(next, piece.from(), "seed " + seed);
        next = piece.to();
      }
      assertEquals(units, next, "seed " + seed);
      assertTrue(pieces.size() <= maximum, "seed " + seed);
      assertEquals(pieces, policy().split(request, pool, seed), "seed " + seed);
    }
  }

  @Test
  void honoursTheUsersWish() {
    assertEquals(
        7, policy().split(new Request(100, OptionalInt.of(7), DEMAND, 10), Pool.of(), 1).size());
  }
}
