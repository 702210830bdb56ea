package dev.weft.resources;

import dev.weft.api.AttemptId;
import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import dev.weft.api.policy.NodeOrder;
import dev.weft.api.policy.PlacementPolicy.Decision;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.core.bus.Peer;
import dev.weft.core.message.Message;
import dev.weft.core.resources.NodeStatus;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What happens to the resource manager. */
public sealed interface ResourceEvent {
  /** A peer can be talked to. */
  record PeerUp(Peer peer) implements ResourceEvent {}

  /** A peer is gone. */
  record PeerDown(Peer peer, Fault reason) implements ResourceEvent {}

  /**
   * A node says what it has.
   *
   * @param reply where the answer goes; the core hands it back with {@link ResourceEffect.Reply}
   */
  record Reported(NodeId from, Message.Report report, Consumer<Message> reply)
      implements ResourceEvent {}

  /** A scheduler asks for nodes; {@code number} names the question. */
  record Asked(long number, List<Request> requests) implements ResourceEvent {}

  /** A node has said in a boot of it that attempts are over. */
  record Over(NodeId node, long boot, Collection<AttemptId> attempts) implements ResourceEvent {}

  /** A scheduler does not want placements any more. */
  record Withdrawn(Collection<AttemptId> attempts) implements ResourceEvent {}

  /** A node has answered {@link ResourceEffect.Cancel}: these hold nothing and never will. */
  record Cancelled(NodeId node, List<AttemptId> over) implements ResourceEvent {}

  /** An operator wants a node to get tasks, or not. */
  record Eligible(NodeId node, boolean eligible, Consumer<Boolean> known)
      implements ResourceEvent {}

  /** The operator changed the settings. */
  record SettingsChanged(ResourceSettings settings) implements ResourceEvent {}

  /** Somebody wants to see every node. */
  record StatusAsked(Consumer<List<NodeStatus>> answer) implements ResourceEvent {}

  /** Another policy is in use; empty if none is present. */
  record PolicyChanged(Optional<Policy> policy) implements ResourceEvent {}

  /**
   * A policy.
   *
   * @param stamp name and version
   * @param order its order, if it is nothing else
   */
  record Policy(String stamp, Optional<NodeOrder> order) {}

  /** The policy has answered a call. */
  record Proposed(long call, String policy, List<Decision> decisions) implements ResourceEvent {}

  /** The policy did not answer a call, or there is none. */
  record NotProposed(long call, String policy, String reason) implements ResourceEvent {}

  /** The resource managers have elected a leader, or lost it. */
  record Led(Optional<NodeId> leader, long term) implements ResourceEvent {}

  /** A scheduler got no answer from the leader in time (A6). */
  record Suspected(NodeId leader, Consumer<Message> reply) implements ResourceEvent {}
}
