package dev.weft.core.bus;

import dev.weft.api.NodeId;
import dev.weft.api.bus.Role;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Who this node is. A service of the bus bundle, present from the moment the key and the boot
 * number are on disk.
 *
 * @param id hash of the node's public key
 * @param boot raised by one at each start, from 1
 * @param hostName what people call this machine
 * @param roles what it is for
 * @param addresses local addresses that peers may reach; whatever listens for peers listens on
 *     these and on no others
 */
public record LocalNode(
    NodeId id, long boot, String hostName, Set<Role> roles, List<InetAddress> addresses) {
  /** Copies and checks. */
  public LocalNode {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(hostName, "hostName");
    roles = Set.copyOf(roles);
    addresses = List.copyOf(addresses);
    if (boot < 1) {
      throw new IllegalArgumentException("boot must be at least 1: " + boot);
    }
  }
}
