package dev.weft.policy.rank;

import dev.weft.api.NodeId;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import dev.weft.api.policy.NodeView;
import dev.weft.api.policy.PlacementPolicy;
import dev.weft.api.policy.PoolView;
import dev.weft.api.policy.Refusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The default placement policy (A3): nodes in descending order of the weighted sum of what they
 * have free; equal sums by more free cores, then more free memory, then id. The first that fits
 * wins.
 */
final class RankPolicy implements PlacementPolicy {
  private static final int MAXIMUM_PASSED_OVER = 16;

  private final Weights weights;

  RankPolicy(Weights weights) {
    this.weights = weights;
  }

  @Override
  public List<Decision> place(List<Request> requests, PoolView pool, long seed) {
    NavigableSet<Candidate> order = new TreeSet<>(Candidate.ORDER);
    for (NodeView node : pool.nodes()) {
      order.add(new Candidate(node, node.free(), weights.rank(node.free())));
    }
    List<Decision> decisions = new ArrayList<>(requests.size());
    for (Request request : requests) {
      decisions.add(decide(request, order));
    }
    return decisions;
  }

  private Decision decide(Request request, NavigableSet<Candidate> order) {
    Map<NodeId, Refusal> passedOver = new LinkedHashMap<>();
    for (Candidate candidate : order) {
      Optional<Refusal> refusal = Refusal.check(request.demand(), candidate.node, candidate.free);
      if (refusal.isEmpty()) {
        take(candidate, request.demand().resources(), order);
        return new Decision.Proposal(
            request.attempt(),
            candidate.node.id(),
            reason(candidate, passedOver),
            some(passedOver));
      }
      passedOver.put(candidate.node.id(), refusal.get());
    }
    return new Decision.NoNode(request.attempt(), passedOver);
  }

  private void take(Candidate candidate, Resources demand, NavigableSet<Candidate> order) {
    Resources left = candidate.free.minusAtMost(demand);
    order.remove(candidate);
    order.add(new Candidate(candidate.node, left, weights.rank(left)));
  }

  private static String reason(Candidate candidate, Map<NodeId, Refusal> passedOver) {
    String rank = String.format(Locale.ROOT, "%.2f", candidate.rank);
    return passedOver.isEmpty()
        ? "highest rank, " + rank
        : "rank " + rank + ", first that fits after " + passedOver.size() + " with higher rank";
  }

  private static Map<NodeId, Refusal> some(Map<NodeId, Refusal> all) {
    if (all.size() <= MAXIMUM_PASSED_OVER) {
      return all;
    }
    Map<NodeId, Refusal> first = new LinkedHashMap<>();
    all.entrySet().stream()
        .limit(MAXIMUM_PASSED_OVER)
        .forEach(entry -> first.put(entry.getKey(), entry.getValue()));
    return first;
  }

  /** Weights of the sum: per free core, per free GiB of memory, per free graphics processor. */
  record Weights(double cpu, double memory, double gpu) {
    private static final double MILLI = 1000.0;
    private static final double GIB = 1L << 30;

    double rank(Resources free) {
      double sum = 0;
      for (var amount : free.perEnvironment().values()) {
        sum += cpu * amount.get(ResourceType.CPU) / MILLI;
        sum += memory * amount.get(ResourceType.MEMORY) / GIB;
        sum += gpu * amount.get(ResourceType.GPU) / MILLI;
      }
      return sum;
    }
  }

  /** A node with what earlier decisions of the same call leave of it. */
  private record Candidate(NodeView node, Resources free, double rank) {
    static final Comparator<Candidate> ORDER =
        Comparator.comparingDouble(Candidate::rank)
            .thenComparingLong(candidate -> candidate.total(ResourceType.CPU))
            .thenComparingLong(candidate -> candidate.total(ResourceType.MEMORY))
            .reversed()
            .thenComparing(candidate -> candidate.node.id());

    private long total(ResourceType type) {
      return free.perEnvironment().values().stream().mapToLong(amount -> amount.get(type)).sum();
    }
  }
}
