package dev.weft.policy.rank;

import dev.weft.api.NodeId;
import dev.weft.api.policy.Draft;
import dev.weft.api.policy.NodeOrder;
import dev.weft.api.policy.NodeView;
import dev.weft.api.policy.PlacementPolicy;
import dev.weft.api.policy.PoolView;
import dev.weft.api.policy.Refusal;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The default placement policy (A3): nodes in descending order of the weighted sum of what they
 * have free; equal sums by more free cores, then more free memory, then id. The first that fits
 * wins. It is nothing but this order, which the manager follows by itself; {@link #place} gives the
 * same nodes to whoever asks.
 */
final class RankPolicy implements PlacementPolicy {
  private static final int MAXIMUM_REASONS = 16;

  private final NodeOrder order;

  RankPolicy(NodeOrder order) {
    this.order = order;
  }

  @Override
  public Optional<NodeOrder> order() {
    return Optional.of(order);
  }

  @Override
  public List<Decision> place(List<Request> requests, PoolView pool, long seed) {
    Draft draft = new Draft(pool, order.comparator());
    return draft.serve(requests, request -> decide(request, draft));
  }

  private Decision decide(Request request, Draft draft) {
    Map<NodeId, Refusal> passedOver = new LinkedHashMap<>();
    int tried = 0;
    for (Iterator<NodeView> nodes = draft.candidates(request).iterator(); nodes.hasNext(); ) {
      NodeView node = nodes.next();
      // The amounts first: that is quick, and only the first reasons are wanted.
      boolean enough = node.free().covers(request.demand().resources());
      if (enough || passedOver.size() < MAXIMUM_REASONS) {
        Optional<Refusal> refusal = Refusal.check(request.demand(), node, node.free());
        if (refusal.isEmpty()) {
          String reason = reason(request, node, tried);
          return new Decision.Proposal(request.attempt(), node.id(), reason, passedOver);
        }
        if (passedOver.size() < MAXIMUM_REASONS) {
          passedOver.put(node.id(), refusal.get());
        }
      }
      tried++;
    }
    return new Decision.NoNode(request.attempt(), passedOver);
  }

  private String reason(Request request, NodeView node, int tried) {
    String rank = String.format(Locale.ROOT, "%.2f", order.rank(node.free()));
    if (request.first().equals(Optional.of(node.id()))) {
      return "the node it was tried on, rank " + rank;
    }
    if (tried == 0) {
      return "highest rank, " + rank;
    }
    String after = "rank " + rank + ", first that fits after " + tried;
    return request.first().isPresent() || !request.last().isEmpty()
        ? after + " tried before"
        : after + " with higher rank";
  }
}
