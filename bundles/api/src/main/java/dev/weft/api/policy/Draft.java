package dev.weft.api.policy;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.policy.PlacementPolicy.Decision;
import dev.weft.api.policy.PlacementPolicy.Request;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * For policies that serve requests one after the other: the pool as it is after what this call has
 * given away, its nodes in the policy's order. It knows what requests say of nodes to try first or
 * last, and that a gang is placed all or none. Made for one call; not safe for several threads.
 */
public final class Draft {
  private final Map<NodeId, NodeView> byId = new HashMap<>();
  private final NavigableSet<NodeView> ordered;

  /**
   * A draft in which nothing is given away yet.
   *
   * @param pool the pool that the policy was given
   * @param order in which nodes are tried, by their id and what they have free; nodes that are
   *     equal in it must be the same node
   */
  public Draft(PoolView pool, Comparator<NodeView> order) {
    ordered = new TreeSet<>(order);
    for (NodeView node : pool.nodes()) {
      byId.put(node.id(), node);
      ordered.add(node);
    }
    if (ordered.size() < byId.size()) {
      throw new IllegalArgumentException("different nodes are equal in the order");
    }
  }

  /** The nodes as they are now, in the order. */
  public Stream<NodeView> nodes() {
    return ordered.stream();
  }

  /**
   * The nodes as they are now, in the order in which a request wants them tried: the one that it
   * names first, then all others, then those that it names last. Whether they fit is not looked at.
   */
  public Stream<NodeView> candidates(Request request) {
    Optional<NodeView> first = request.first().map(byId::get);
    if (first.isEmpty() && request.last().isEmpty()) {
      return ordered.stream();
    }
    Stream<NodeView> usual =
        ordered.stream().filter(node -> !isFirst(request, node) && !isLast(request, node));
    Stream<NodeView> last =
        request.last().stream()
            .map(byId::get)
            .filter(node -> node != null && !isFirst(request, node))
            .sorted(ordered.comparator());
    return Stream.concat(Stream.concat(first.stream(), usual), last);
  }

  private static boolean isFirst(Request request, NodeView node) {
    return request.first().isPresent() && request.first().get().equals(node.id());
  }

  private static boolean isLast(Request request, NodeView node) {
    return request.last().contains(node.id());
  }

  /**
   * Serves requests in turn, each gang together where its first request stands. What is proposed
   * for one is given away before the next. If one of a gang gets no node, what its gang took is
   * given back, and all of the gang get no node, for the reasons of that one.
   *
   * @param requests of a call
   * @param policy decides one request by the nodes as they are now
   * @return one decision for each request, in the same order
   * @throws IllegalArgumentException if the policy proposes a node that does not fit
   */
  public List<Decision> serve(List<Request> requests, Function<Request, Decision> policy) {
    Map<AttemptId, Decision> decisions = new HashMap<>();
    for (List<Request> unit : units(requests)) {
      decide(unit, policy, decisions);
    }
    return requests.stream().map(request -> decisions.get(request.attempt())).toList();
  }

  private static Iterable<List<Request>> units(List<Request> requests) {
    Map<Object, List<Request>> units = new LinkedHashMap<>();
    for (Request request : requests) {
      Object unit = request.gang().isPresent() ? request.gang().getAsLong() : request.attempt();
      units.computeIfAbsent(unit, key -> new ArrayList<>()).add(request);
    }
    return units.values();
  }

  private void decide(
      List<Request> unit, Function<Request, Decision> policy, Map<AttemptId, Decision> decisions) {
    List<NodeView> before = new ArrayList<>(unit.size());
    for (Request request : unit) {
      Decision decision = policy.apply(request);
      decisions.put(request.attempt(), decision);
      if (decision instanceof Decision.Proposal proposal) {
        before.add(take(request, proposal.node()));
      } else {
        for (int i = before.size() - 1; i >= 0; i--) {
          put(before.get(i));
        }
        Map<NodeId, Refusal> reasons = ((Decision.NoNode) decision).reasons();
        unit.forEach(
            member ->
                decisions.put(member.attempt(), new Decision.NoNode(member.attempt(), reasons)));
        return;
      }
    }
  }

  /** Takes what a request wants of a node; returns the node as it was. */
  private NodeView take(Request request, NodeId id) {
    NodeView node = byId.get(id);
    Optional<Resources> taken =
        node == null ? Optional.empty() : node.free().allocate(request.demand().resources());
    if (taken.isEmpty()) {
      throw new IllegalArgumentException(id + " does not fit " + request.attempt());
    }
    put(node.withFree(node.free().minusAtMost(taken.get())));
    return node;
  }

  private void put(NodeView node) {
    ordered.remove(byId.put(node.id(), node));
    ordered.add(node);
  }
}
