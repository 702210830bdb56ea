package dev.weft.resources;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.policy.NodeView;
import dev.weft.api.policy.PlacementPolicy.Decision;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.api.policy.Refusal;
import dev.weft.core.resources.Placement;
import dev.weft.resources.pool.PoolTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Nodes chosen for the requests of one unit, one after the other on a pool that each makes smaller;
 * nothing is taken yet.
 *
 * @param nodes one for each request; empty if not all of them fit
 * @param failed why not: for the first request that does not fit; empty if all fit
 */
record Choice(List<Chosen> nodes, Optional<Placement.Decision> failed) {
  /** Pools up to this size say for each placement which nodes were passed over, and why. */
  static final int EXPLAINED_POOL = 64;

  /** A node for a request. */
  record Chosen(NodeId node, Resources taken, Placement.Decision decision) {}

  private static Choice none(Placement.Decision why) {
    return new Choice(List.of(), Optional.of(why));
  }

  /** By an order alone: the first that fits (A3). */
  static Choice byOrder(List<Request> requests, PoolTree pool, String policy) {
    PoolTree left = pool;
    List<Chosen> chosen = new ArrayList<>(requests.size());
    for (Request request : requests) {
      Optional<PoolTree.Found> found = left.first(request);
      if (found.isEmpty()) {
        return none(refusal(request, left, policy));
      }
      NodeView node = found.get().node();
      Resources taken = node.free().allocate(request.demand().resources()).orElseThrow();
      chosen.add(new Chosen(node.id(), taken, reason(request, found.get(), left, policy)));
      if (requests.size() > 1) {
        left = left.with(node.withFree(node.free().minusAtMost(taken)));
      }
    }
    return new Choice(chosen, Optional.empty());
  }

  private static Placement.Decision reason(
      Request request, PoolTree.Found found, PoolTree pool, String policy) {
    NodeView node = found.node();
    String rank = String.format(Locale.ROOT, "%.2f", found.rank());
    if (request.first().equals(Optional.of(node.id()))) {
      return new Placement.Decision(policy, "the node it was tried on, rank " + rank, Map.of());
    }
    if (pool.size() > EXPLAINED_POOL) {
      return new Placement.Decision(policy, "the first that fits, rank " + rank, Map.of());
    }
    Map<NodeId, Refusal> passedOver = new LinkedHashMap<>();
    int higher = 0;
    for (NodeView other : pool.first(EXPLAINED_POOL)) {
      if (other.id().equals(node.id())) {
        break;
      }
      higher++;
      Optional<Refusal> refusal =
          Refusal.check(request.demand(), other, other.free())
              .or(
                  () ->
                      request.last().contains(other.id())
                          ? Optional.of(
                              new Refusal("retry.elsewhere", "the task failed there before"))
                          : Optional.empty());
      if (passedOver.size() < Placement.Decision.MAXIMUM_REFUSALS) {
        refusal.ifPresent(why -> passedOver.put(other.id(), why));
      }
    }
    String how =
        higher == 0
            ? "highest rank, " + rank
            : "rank " + rank + ", first that fits after " + higher + " with higher rank";
    return new Placement.Decision(policy, how, passedOver);
  }

  /** Why a request fits nowhere, with what was short (A4). */
  private static Placement.Decision refusal(Request request, PoolTree pool, String policy) {
    Map<NodeId, Refusal> refusals = new LinkedHashMap<>();
    for (NodeView node : pool.first(Placement.Decision.MAXIMUM_REFUSALS)) {
      Refusal.check(request.demand(), node, node.free())
          .ifPresent(refusal -> refusals.put(node.id(), refusal));
    }
    String reason = pool.size() == 0 ? "no node takes tasks" : "no node fits now";
    return new Placement.Decision(policy, reason, refusals, pool.shortages(request.demand()));
  }

  /** By what a policy proposes, as far as it fits the pool. */
  static Choice byProposals(
      List<Request> requests, Map<AttemptId, Decision> decisions, PoolTree pool, String policy) {
    PoolTree left = pool;
    List<Chosen> chosen = new ArrayList<>(requests.size());
    for (Request request : requests) {
      Decision decision = decisions.get(request.attempt());
      if (decision instanceof Decision.Proposal proposal) {
        Optional<NodeView> node = left.node(proposal.node());
        Optional<Refusal> refusal =
            node.isEmpty()
                ? Optional.of(new Refusal("node.gone", "the node takes no tasks any more"))
                : Refusal.check(request.demand(), node.get(), node.get().free());
        if (refusal.isPresent()) {
          Map<NodeId, Refusal> why = Map.of(proposal.node(), refusal.get());
          return none(new Placement.Decision(policy, UNFIT, why));
        }
        NodeView found = node.get();
        Resources taken = found.free().allocate(request.demand().resources()).orElseThrow();
        Placement.Decision how =
            new Placement.Decision(policy, proposal.reason(), some(proposal.passedOver()));
        chosen.add(new Chosen(found.id(), taken, how));
        left = left.with(found.withFree(found.free().minusAtMost(taken)));
      } else if (decision instanceof Decision.NoNode no) {
        String reason = no.reasons().isEmpty() ? "no node takes tasks" : "no node fits now";
        return none(
            new Placement.Decision(
                policy, reason, some(no.reasons()), left.shortages(request.demand())));
      } else {
        return none(new Placement.Decision(policy, "the policy did not decide", Map.of()));
      }
    }
    return new Choice(chosen, Optional.empty());
  }

  /** Reason of a refusal because the pool has changed since the policy saw it. */
  static final String UNFIT = "the policy's proposals did not fit";

  /** Whether it failed only because the pool has changed since the policy saw it. */
  boolean isOutdated() {
    return failed.isPresent() && failed.get().reason().equals(UNFIT);
  }

  private static Map<NodeId, Refusal> some(Map<NodeId, Refusal> all) {
    if (all.size() <= Placement.Decision.MAXIMUM_REFUSALS) {
      return all;
    }
    Map<NodeId, Refusal> first = new LinkedHashMap<>();
    all.entrySet().stream()
        .limit(Placement.Decision.MAXIMUM_REFUSALS)
        .forEach(entry -> first.put(entry.getKey(), entry.getValue()));
    return first;
  }
}
