package dev.weft.core.bus;

import dev.weft.api.NodeId;
import dev.weft.api.bus.Role;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Set;

/**
 * A node that this one talks to.
 *
 * @param id its stable id
 * @param boot its boot number, as it says
 * @param hostName what people call it
 * @param roles what it is for
 * @param address where it is reached now
 * @param via how it was found: name of a discovery, {@code address} if configured, {@code incoming}
 *     if it came by itself, {@code self} for this node
 */
public record Peer(
    NodeId id, long boot, String hostName, Set<Role> roles, InetSocketAddress address, String via) {
  /** Copies and checks. */
  public Peer {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(hostName, "hostName");
    Objects.requireNonNull(address, "address");
    Objects.requireNonNull(via, "via");
    roles = Set.copyOf(roles);
  }
}
