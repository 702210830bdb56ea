package dev.weft.bus;

import dev.weft.api.bus.Role;
import java.util.Set;

/**
 * What nodes say of themselves when they meet.
 *
 * @param hostName what people call it; cut to 255 characters
 * @param roles what it is for
 * @param leaseMillis without a word for so long, the sender takes the other for gone
 */
record Greeting(String hostName, Set<Role> roles, long leaseMillis) {
  private static final int MAXIMUM_HOST_NAME = 255;
  private static final long MINIMUM_LEASE = 100;
  private static final long MAXIMUM_LEASE = 3_600_000;

  Greeting {
    roles = Set.copyOf(roles);
    if (hostName.length() > MAXIMUM_HOST_NAME) {
      hostName = hostName.substring(0, MAXIMUM_HOST_NAME);
    }
    if (roles.isEmpty() || leaseMillis < MINIMUM_LEASE || leaseMillis > MAXIMUM_LEASE) {
      throw new IllegalArgumentException("roles or lease out of range");
    }
  }
}
