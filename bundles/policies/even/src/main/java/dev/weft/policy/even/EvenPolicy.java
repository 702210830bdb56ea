package dev.weft.policy.even;

import dev.weft.api.Amount;
import dev.weft.api.Demand;
import dev.weft.api.Resources;
import dev.weft.api.policy.NodeView;
import dev.weft.api.policy.PlacementPolicy;
import dev.weft.api.policy.PoolView;
import dev.weft.api.policy.Refusal;
import dev.weft.api.policy.SplitPolicy;
import java.util.ArrayList;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/**
 * The default split policy: pieces of equal size, as many as the user asked for, else four for each
 * task that the pool can run at once, so that fast nodes can take more than slow ones.
 */
@Component(
    property = {
      PlacementPolicy.NAME + "=even",
      PlacementPolicy.VERSION + "=1.0.0",
      "service.ranking:Integer=-100"
    })
public final class EvenPolicy implements SplitPolicy {
  private static final int PIECES_PER_SLOT = 4;

  @Override
  public List<Piece> split(Request request, PoolView pool, long seed) {
    long wanted =
        request.shards().isPresent()
            ? request.shards().getAsInt()
            : PIECES_PER_SLOT * Math.max(1, slots(request.demand(), pool));
    int count = (int) Math.min(Math.min(wanted, request.maximumShards()), request.units());
    List<Piece> pieces = new ArrayList<>(count);
    long size = request.units() / count;
    long larger = request.units() % count;
    long from = 0;
    for (int i = 0; i < count; i++) {
      long to = from + size + (i < larger ? 1 : 0);
      pieces.add(new Piece(from, to));
      from = to;
    }
    return pieces;
  }

  private static long slots(Demand demand, PoolView pool) {
    return pool.nodes().stream()
        .filter(node -> Refusal.checkOffer(demand, node).isEmpty())
        .mapToLong(node -> slots(demand.resources(), node))
        .sum();
  }

  /** How many such tasks an idle node could run at once. */
  private static long slots(Resources demand, NodeView node) {
    long slots = Long.MAX_VALUE;
    for (var environment : demand.perEnvironment().entrySet()) {
      Amount offered = node.offered().in(environment.getKey());
      for (var wanted : environment.getValue().asMap().entrySet()) {
        slots = Math.min(slots, offered.total(wanted.getKey()) / wanted.getValue());
      }
    }
    return slots == Long.MAX_VALUE ? 1 : slots;
  }
}
