package dev.weft.example.policy;

import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.policy.NodeView;
import dev.weft.api.policy.PlacementPolicy;
import dev.weft.api.policy.PoolView;
import dev.weft.api.policy.Refusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Component;

/**
 * Fills the node with the highest id first. The properties of the component name the policy in
 * every decision; the one with the highest service ranking is used.
 */
@Component(
    property = {
      PlacementPolicy.NAME + "=last",
      PlacementPolicy.VERSION + "=2.1.0",
      "service.ranking:Integer=100"
    })
public final class LastNodePolicy implements PlacementPolicy {
  @Override
  public List<Decision> place(List<Request> requests, PoolView pool, long seed) {
    List<NodeView> order = new ArrayList<>(pool.nodes());
    order.sort(Comparator.comparing(NodeView::id).reversed());
    // What this call has given away is not in the view.
    Map<NodeId, Resources> free = new HashMap<>();
    order.forEach(node -> free.put(node.id(), node.free()));
    return requests.stream().map(request -> decide(request, order, free)).toList();
  }

  private static Decision decide(
      Request request, List<NodeView> order, Map<NodeId, Resources> free) {
    Resources wanted = request.demand().resources();
    for (NodeView node : order) {
      Resources left = free.get(node.id());
      // The amounts first: that is quick, and a reason is wanted only if no node fits.
      if (left.covers(wanted) && Refusal.check(request.demand(), node, left).isEmpty()) {
        free.put(node.id(), left.minusAtMost(wanted));
        return new Decision.Proposal(request.attempt(), node.id(), "highest id", Map.of());
      }
    }
    Map<NodeId, Refusal> reasons = new LinkedHashMap<>();
    for (NodeView node : order) {
      Refusal.check(request.demand(), node, free.get(node.id()))
          .ifPresent(refusal -> reasons.put(node.id(), refusal));
    }
    return new Decision.NoNode(request.attempt(), reasons);
  }
}
