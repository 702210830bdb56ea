package dev.weft.example.policy;

import dev.weft.api.NodeId;
import dev.weft.api.policy.Draft;
import dev.weft.api.policy.NodeView;
import dev.weft.api.policy.PlacementPolicy;
import dev.weft.api.policy.PoolView;
import dev.weft.api.policy.Refusal;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  /** The manager keeps no more of them. */
  private static final int MAXIMUM_REASONS = 16;

  @Override
  public List<Decision> place(List<Request> requests, PoolView pool, long seed) {
    // The draft knows what this call has given away; the view does not change.
    Draft draft = new Draft(pool, Comparator.comparing(NodeView::id).reversed());
    return draft.serve(requests, request -> decide(request, draft));
  }

  private static Decision decide(Request request, Draft draft) {
    Optional<NodeView> fits =
        draft
            .candidates(request)
            // The amounts first: that is quick, and a reason is wanted only if no node fits.
            .filter(node -> node.free().covers(request.demand().resources()))
            .filter(node -> Refusal.check(request.demand(), node, node.free()).isEmpty())
            .findFirst();
    if (fits.isPresent()) {
      return new Decision.Proposal(request.attempt(), fits.get().id(), "highest id", Map.of());
    }
    Map<NodeId, Refusal> reasons = new LinkedHashMap<>();
    draft
        .nodes()
        .limit(MAXIMUM_REASONS)
        .forEach(
            node ->
                Refusal.check(request.demand(), node, node.free())
                    .ifPresent(refusal -> reasons.put(node.id(), refusal)));
    return new Decision.NoNode(request.attempt(), reasons);
  }
}
