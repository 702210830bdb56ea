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
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/** Owns the shared resource pool. A service; thread-safe. */
@ProviderType
public interface ResourceManager {
  /**
   * Finds a node for each request and takes the amounts (A2). Requests of the same gang are placed
   * all or none, others as many as fit.
   *
   * @return one answer for each request, in the same order; completes on the resource manager's
   *     thread, what follows must not block; never completes exceptionally
   */
  CompletionStage<List<Placement>> place(List<PlacementPolicy.Request> requests);

  /**
   * A node has said, in a status or an answer, that attempts of it ended or were refused: it names
   * them (B7), and what they held is free again. Unknown ones are ignored.
   *
   * @param boot boot of the node in which it said so
   */
  void over(NodeId node, long boot, Collection<AttemptId> attempts);

  /**
   * Placements are not wanted any more. Each keeps its amount until its node has confirmed that it
   * refuses it, has ended it, or is declared dead (B7); the resource manager asks the node for
   * that. Unknown ones are ignored.
   */
  void withdraw(Collection<AttemptId> attempts);

  /**
   * Whether a node may get tasks; what it runs goes on. Holds until it is changed again.
   *
   * @return whether the node is known
   */
  boolean eligible(NodeId node, boolean eligible);

  /**
   * Why each node could not take a demand now, or that it could (an empty optional); any thread.
   */
  Map<NodeId, Optional<Refusal>> explain(Demand demand);

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
