package dev.weft.core.resources;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.policy.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The resource manager's answer to one request (A2, A4). */
public sealed interface Placement {
  /** Which request. */
  AttemptId attempt();

  /** How it came about. */
  Decision decision();

  /**
   * A node was found and the amount is taken.
   *
   * @param attempt which request
   * @param decision how it came about
   * @param node the node
   * @param boot boot of the node that this holds for
   * @param authority who gave it; goes with the dispatch
   * @param taken what it takes of the node, graphics processors by device
   * @param remaining what the node has free now
   * @param version version of that free amount
   */
  record Placed(
      AttemptId attempt,
      Decision decision,
      NodeId node,
      long boot,
      Authority authority,
      Resources taken,
      Resources remaining,
      long version)
      implements Placement {}

  /** No node fits now; {@link Decision#refusals()} says why. */
  record NotPlaced(AttemptId attempt, Decision decision) implements Placement {}

  /**
   * How a placement or refusal came about; kept with the task (F2).
   *
   * @param policy name and version of the policy, such as {@code rank 1.0.0}; empty if none was
   *     present
   * @param reason in plain words
   * @param refusals some nodes that were not taken, and why; at most {@link #MAXIMUM_REFUSALS}
   * @param shortages of a refusal: what no node has enough of, and the most that one has (A4)
   */
  record Decision(
      String policy, String reason, Map<NodeId, Refusal> refusals, List<Resources.Lack> shortages) {
    /** Most nodes that a decision names; {@link ResourceManager#explain} names all. */
    public static final int MAXIMUM_REFUSALS = 16;

    /** Copies and checks. */
    public Decision {
      Objects.requireNonNull(policy, "policy");
      Objects.requireNonNull(reason, "reason");
      refusals = Map.copyOf(refusals);
      shortages = List.copyOf(shortages);
      if (refusals.size() > MAXIMUM_REFUSALS) {
        throw new IllegalArgumentException("at most " + MAXIMUM_REFUSALS + " refusals are kept");
      }
    }

    /** A decision that names no shortage. */
    public Decision(String policy, String reason, Map<NodeId, Refusal> refusals) {
      this(policy, reason, refusals, List.of());
    }
  }
}
