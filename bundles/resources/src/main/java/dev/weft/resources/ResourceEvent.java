package dev.weft.resources;

import dev.weft.api.AttemptId;
import dev.weft.api.Fault;
import dev.weft.api.policy.PlacementPolicy.Decision;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.core.bus.Peer;
import dev.weft.core.message.Message;
import java.util.Collection;
import java.util.List;

/** What happens to the resource manager. */
sealed interface ResourceEvent {
  /** A peer can be talked to. */
  record PeerUp(Peer peer) implements ResourceEvent {}

  /** A peer is gone. */
  record PeerDown(Peer peer, Fault reason) implements ResourceEvent {}

  /** A node says what it has. */
  record Reported(Peer from, Message.Report report) implements ResourceEvent {}

  /** A scheduler asks for nodes; {@code number} names the question. */
  record Asked(long number, List<Request> requests) implements ResourceEvent {}

  /** The policy has answered a call. */
  record Proposed(long call, String policy, List<Decision> decisions) implements ResourceEvent {}

  /** The policy did not answer a call, or there is none. */
  record NotProposed(long call, String policy, String reason) implements ResourceEvent {}

  /** Attempts are over. */
  record Released(Collection<AttemptId> attempts) implements ResourceEvent {}
}
