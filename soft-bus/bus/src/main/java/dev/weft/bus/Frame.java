package dev.weft.bus;

import dev.weft.api.NodeId;
import java.util.List;
import java.util.Objects;

/**
 * What a transport carries at once: envelopes of one sender.
 *
 * @param sender its node id, as it says; nothing proves it until links are authenticated
 * @param boot its boot number
 * @param envelopes in the order they were said
 */
record Frame(NodeId sender, long boot, List<Envelope> envelopes) {
  /** Version of the protocol; frames of another are dropped. */
  static final int PROTOCOL = 1;

  /** Most envelopes in one frame. */
  static final int MAXIMUM_ENVELOPES = 256;

  Frame {
    Objects.requireNonNull(sender, "sender");
    envelopes = List.copyOf(envelopes);
  }
}
