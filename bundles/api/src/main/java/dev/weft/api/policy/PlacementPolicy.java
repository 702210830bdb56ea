package dev.weft.api.policy;

import dev.weft.api.AttemptId;
import dev.weft.api.Demand;
import dev.weft.api.NodeId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Chooses nodes for tasks. Registered as a service with the properties {@link #NAME} and {@link
 * #VERSION}; the one with the highest service ranking is used, from the next decision on.
 *
 * <p>Called on a thread of the manager's own with a time limit (2 s by default), never by two
 * threads at once. It must depend on nothing but its arguments: same arguments, same answer. What
 * it proposes is checked against the live pool before anything is taken.
 */
@ConsumerType
public interface PlacementPolicy {
  /** Service property: name of the policy, stamped on every decision. */
  String NAME = "weft.policy.name";

  /** Service property: version of the policy, stamped on every decision. */
  String VERSION = "weft.policy.version";

  /**
   * The order in which nodes are tried, if this policy is nothing but an order: then the manager
   * itself takes the first that fits, {@link #place} is not called, and no foreign code runs per
   * decision. Asked once, when the policy comes.
   */
  default Optional<NodeOrder> order() {
    return Optional.empty();
  }

  /**
   * Proposes a node for each request, or refuses it. Proposals add up: the second on the same node
   * must fit into what the first leaves free.
   *
   * @param requests in the order in which they should be served
   * @param pool the pool now
   * @param seed the only source of randomness allowed
   * @return one decision for each request, in the same order
   */
  List<Decision> place(List<Request> requests, PoolView pool, long seed);

  /**
   * A task that wants a node.
   *
   * @param attempt which
   * @param demand what it needs
   * @param gang requests of one call with the same gang are placed all or none; empty if it is
   *     alone
   * @param first node to try before all others
   * @param last nodes to try only if no other fits, at most {@link #MAXIMUM_LAST}
   */
  record Request(
      AttemptId attempt,
      Demand demand,
      OptionalLong gang,
      Optional<NodeId> first,
      Set<NodeId> last) {
    /** Most nodes that are tried last. */
    public static final int MAXIMUM_LAST = 16;

    /** Copies and checks. */
    public Request {
      Objects.requireNonNull(attempt, "attempt");
      Objects.requireNonNull(demand, "demand");
      Objects.requireNonNull(gang, "gang");
      Objects.requireNonNull(first, "first");
      last = Set.copyOf(last);
      if (last.size() > MAXIMUM_LAST) {
        throw new IllegalArgumentException("at most " + MAXIMUM_LAST + " nodes are tried last");
      }
    }

    /** A request alone, without preference. */
    public Request(AttemptId attempt, Demand demand) {
      this(attempt, demand, OptionalLong.empty(), Optional.empty(), Set.of());
    }
  }

  /** What the policy says of one request. */
  sealed interface Decision {
    /** Which request. */
    AttemptId attempt();

    /**
     * A node was found.
     *
     * @param attempt which request
     * @param node the node
     * @param reason why this one, in plain words
     * @param passedOver nodes tried before it, and why not; at most 16 are kept
     */
    record Proposal(AttemptId attempt, NodeId node, String reason, Map<NodeId, Refusal> passedOver)
        implements Decision {
      /** Copies and checks. */
      public Proposal {
        Objects.requireNonNull(attempt, "attempt");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(reason, "reason");
        passedOver = Map.copyOf(passedOver);
      }
    }

    /**
     * No node fits now.
     *
     * @param attempt which request
     * @param reasons why not, per node; the manager keeps at most 16
     */
    record NoNode(AttemptId attempt, Map<NodeId, Refusal> reasons) implements Decision {
      /** Copies and checks. */
      public NoNode {
        Objects.requireNonNull(attempt, "attempt");
        reasons = Map.copyOf(reasons);
      }
    }
  }
}
