package dev.weft.bus;

import dev.weft.api.Bytes;
import dev.weft.api.NodeId;
import dev.weft.api.bus.Discovery.Sighting;
import java.net.InetSocketAddress;
import java.time.Instant;

/** What happens to the bus. */
sealed interface BusEvent {
  /** A discovery saw a node. */
  record Sighted(String via, Sighting sighting) implements BusEvent {}

  /** A discovery heard a node take back its announcement. */
  record Lost(String via, Sighting sighting) implements BusEvent {}

  /** The operator named a manager's address. */
  record Configured(InetSocketAddress address) implements BusEvent {}

  /** A frame arrived. */
  record Received(InetSocketAddress from, Frame frame) implements BusEvent {}

  /** Something arrived that is no frame of this protocol. */
  record Unreadable(InetSocketAddress from, String reason) implements BusEvent {}

  /** A frame to this address is not known to have arrived. */
  record NotSent(InetSocketAddress to) implements BusEvent {}

  /** A bundle wants an answer; {@code id} is unique in this boot. */
  record Submitted(long id, NodeId to, Bytes body, Instant deadline) implements BusEvent {}

  /** A handler answered a request that was delivered to it. */
  record Answered(BusEffect.Delivery delivery, Bytes body) implements BusEvent {}
}
