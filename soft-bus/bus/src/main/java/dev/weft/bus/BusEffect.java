package dev.weft.bus;

import dev.weft.api.Bytes;
import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import dev.weft.core.bus.Peer;
import java.net.InetSocketAddress;

/** What the bus wants done. */
sealed interface BusEffect {
  /** Send this. */
  record Send(InetSocketAddress to, Envelope envelope) implements BusEffect {}

  /** Hand a request to its handler. */
  record Deliver(Peer from, Delivery delivery, Bytes body) implements BusEffect {}

  /** A request that was delivered: the peer, its boot, and its number there. */
  record Delivery(NodeId peer, long boot, long id) {}

  /** A request of this node has its answer. */
  record Complete(long id, Bytes answer) implements BusEffect {}

  /** A request of this node failed. */
  record Fail(long id, Fault fault) implements BusEffect {}

  /** A peer is up, or has changed. */
  record Up(Peer peer) implements BusEffect {}

  /** A peer is down. */
  record Down(Peer peer, Fault reason) implements BusEffect {}
}
