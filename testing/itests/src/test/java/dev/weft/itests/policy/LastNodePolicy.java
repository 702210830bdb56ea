package dev.weft.itests.policy;

import dev.weft.api.NodeId;
import dev.weft.api.policy.NodeView;
import dev.weft.api.policy.PlacementPolicy;
import dev.weft.api.policy.PoolView;
import dev.weft.api.policy.Refusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Places one task per node and call, on the node with the highest id that fits. */
public final class LastNodePolicy implements PlacementPolicy {
  @Override
  public List<Decision> place(List<Request> requests, PoolView pool, long seed) {
    List<NodeView> unused = new ArrayList<>(pool.nodes());
    List<Decision> decisions = new ArrayList<>();
    for (Request request : requests) {
      decisions.add(decide(request, unused));
    }
    return decisions;
  }

  private static Decision decide(Request request, List<NodeView> unused) {
    Map<NodeId, Refusal> refusals = new HashMap<>();
    for (int i = unused.size() - 1; i >= 0; i--) {
      NodeView node = unused.get(i);
      Optional<Refusal> refusal = Refusal.check(request.demand(), node, node.free());
      if (refusal.isEmpty()) {
        unused.remove(i);
        return new Decision.Proposal(request.attempt(), node.id(), "highest id", refusals);
      }
      refusals.put(node.id(), refusal.get());
    }
    return new Decision.NoNode(request.attempt(), refusals);
  }
}
