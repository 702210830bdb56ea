package dev.weft.core.resources;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.policy.Refusal;
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
   * @param remaining what the node has free now
   * @param version version of that free amount
   */
  record Placed(
      AttemptId attempt,
      Decision decision,
      NodeId node,
      long boot,
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
   * @param refusals nodes that were not taken, and why
   */
  record Decision(String policy, String reason, Map<NodeId, Refusal> refusals) {
    /** Copies and checks. */
    public Decision {
      Objects.requireNonNull(policy, "policy");
      Objects.requireNonNull(reason, "reason");
      refusals = Map.copyOf(refusals);
    }
  }
}
