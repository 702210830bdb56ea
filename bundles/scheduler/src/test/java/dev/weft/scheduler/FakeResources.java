package dev.weft.scheduler;

import static dev.weft.scheduler.CoreDriver.NODE;

import dev.weft.api.AttemptId;
import dev.weft.api.Demand;
import dev.weft.api.NodeId;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.api.policy.PoolView;
import dev.weft.api.policy.Refusal;
import dev.weft.core.resources.NodeStatus;
import dev.weft.core.resources.Placement;
import dev.weft.core.resources.ResourceManager;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** A resource manager of one node that takes everything. */
final class FakeResources implements ResourceManager {
  final Set<AttemptId> given = ConcurrentHashMap.newKeySet();
  final Set<AttemptId> withdrawn = ConcurrentHashMap.newKeySet();
  final Set<NodeId> ineligible = ConcurrentHashMap.newKeySet();
  volatile Map<NodeId, Refusal> neverFits = Map.of();

  @Override
  public CompletionStage<List<Placement>> place(List<Request> requests) {
    return CompletableFuture.completedFuture(
        requests.stream().map(request -> place(request)).toList());
  }

  private Placement place(Request request) {
    given.add(request.attempt());
    return CoreDriver.placed(request.attempt(), NODE, 1);
  }

  @Override
  public void over(NodeId node, long boot, Collection<AttemptId> attempts) {
    given.removeAll(attempts);
  }

  @Override
  public void withdraw(Collection<AttemptId> attempts) {
    withdrawn.addAll(attempts);
  }

  @Override
  public boolean eligible(NodeId node, boolean eligible) {
    if (eligible) {
      ineligible.remove(node);
    } else if (node.equals(NODE)) {
      ineligible.add(node);
    }
    return node.equals(NODE);
  }

  @Override
  public Map<NodeId, Optional<Refusal>> explain(Demand demand) {
    throw new UnsupportedOperationException();
  }

  @Override
  public PoolView view() {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<NodeStatus> nodes() {
    return List.of();
  }

  @Override
  public Map<NodeId, Refusal> neverFits(Demand demand) {
    return neverFits;
  }

  @Override
  public String policy() {
    return "test 1";
  }
}
