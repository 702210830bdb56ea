package dev.weft.core.resources;

import dev.weft.api.AttemptId;
import dev.weft.api.Demand;
import dev.weft.api.NodeId;
import dev.weft.api.policy.PlacementPolicy;
import dev.weft.api.policy.PoolView;
import dev.weft.api.policy.Refusal;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/** Owns the shared resource pool. A service; thread-safe. */
@ProviderType
public interface ResourceManager {
  /**
   * Finds a node for each request and takes the amounts (A2).
   *
   * @return one answer for each request, in the same order; completes on the resource manager's
   *     thread, what follows must not block; never completes exceptionally
   */
  CompletionStage<List<Placement>> place(List<PlacementPolicy.Request> requests);

  /** Gives back what attempts hold; unknown ones are ignored. */
  void release(Collection<AttemptId> attempts);

  /** The pool now: the nodes that get tasks. */
  PoolView view();

  /**
   * Every node seen since the start, in order of name, and of those that are down the latest 1,024.
   */
  List<NodeStatus> nodes();

  /**
   * Why no node could take this even if it were idle.
   *
   * @return empty if a node could or none takes tasks now, else the reason of each that does
   */
  Map<NodeId, Refusal> neverFits(Demand demand);

  /** Name and version of the placement policy in use; empty if none is present. */
  String policy();
}
