package dev.weft.core.bus;

import dev.weft.api.NodeId;
import java.util.Objects;

/**
 * Who this node is. A service of the bus bundle, present from the moment the key and the boot
 * number are on disk.
 *
 * @param id hash of the node's public key
 * @param boot raised by one at each start, from 1
 * @param hostName what people call this machine
 */
public record NodeIdentity(NodeId id, long boot, String hostName) {
  /** Checks. */
  public NodeIdentity {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(hostName, "hostName");
    if (boot < 1) {
      throw new IllegalArgumentException("boot must be at least 1: " + boot);
    }
  }
}
