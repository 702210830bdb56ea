package dev.weft.core.bus;

import dev.weft.api.NodeId;
import dev.weft.core.message.Message;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/** Requests and answers between nodes that know each other. A service; thread-safe. */
@ProviderType
public interface Bus {
  /**
   * Sends a request and waits for its answer, repeating it as needed. The peer handles it at most
   * once per boot. A request to this node itself is handled without any network.
   *
   * @param to the peer
   * @param request at most 48 KiB in wire form
   * @param deadline when to give up
   * @return the answer; a {@link Message.Failed} if the peer says so, is not up ({@code
   *     peer.down}), does not answer in time ({@code peer.silent}), or too much is under way
   *     ({@code bus.full}). Completes on the bus's thread: what follows must not block. Never
   *     completes exceptionally.
   */
  CompletionStage<Message> request(NodeId to, Message request, Duration deadline);

  /** Every peer that is up, in order of id. */
  List<Peer> peers();

  /** A peer that is up. */
  Optional<Peer> peer(NodeId id);

  /** What discoveries and transports do, and what an operator should know. */
  BusStatus status();
}
