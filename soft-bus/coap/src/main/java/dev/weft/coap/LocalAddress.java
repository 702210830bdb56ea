package dev.weft.coap;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;

/**
 * A local address and the network behind it.
 *
 * @param address the address
 * @param interfaceIndex of the interface that holds it
 * @param interfaceName of the same
 * @param prefixLength of its network, in bits
 */
record LocalAddress(
    InetAddress address, int interfaceIndex, String interfaceName, int prefixLength) {

  /**
   * Looks the address up. Any address of the loopback network counts as held by the loopback
   * interface, as for the operating system.
   *
   * @throws IOException if no interface holds it
   */
  static LocalAddress of(InetAddress address) throws IOException {
    for (NetworkInterface candidate : NetworkInterface.networkInterfaces().toList()) {
      for (InterfaceAddress held : candidate.getInterfaceAddresses()) {
        LocalAddress local =
            new LocalAddress(
                held.getAddress(),
                candidate.getIndex(),
                candidate.getName(),
                held.getNetworkPrefixLength());
        if (address.isLoopbackAddress() && local.isNeighbour(address)) {
          return new LocalAddress(
              address, local.interfaceIndex(), local.interfaceName(), local.prefixLength());
        }
        if (held.getAddress().equals(address) && isIn(address, candidate)) {
          return local;
        }
      }
    }
    throw new IOException("no network interface has the address " + address.getHostAddress());
  }

  // Two interfaces may hold the same link-local address. An interface that went away and came back
  // has another index but the same name.
  private static boolean isIn(InetAddress address, NetworkInterface candidate) {
    return !(address instanceof Inet6Address six)
        || six.getScopeId() == 0
        || six.getScopeId() == candidate.getIndex()
        || (six.getScopedInterface() != null
            && six.getScopedInterface().getName().equals(candidate.getName()));
  }

  /** Whether it is of the same family: IPv4 or IPv6. */
  boolean isSameFamily(InetAddress other) {
    return other.getClass() == address.getClass();
  }

  /** Whether the other address is in the same network, as far as the addresses tell. */
  boolean isNeighbour(InetAddress other) {
    if (!isSameFamily(other)) {
      return false;
    }
    if (other instanceof Inet6Address six && six.isLinkLocalAddress()) {
      return six.getScopeId() == interfaceIndex;
    }
    return samePrefix(address.getAddress(), other.getAddress(), prefixLength);
  }

  private static boolean samePrefix(byte[] one, byte[] other, int bits) {
    for (int bit = 0; bit < bits; bit++) {
      int mask = 0x80 >> (bit % Byte.SIZE);
      if (((one[bit / Byte.SIZE] ^ other[bit / Byte.SIZE]) & mask) != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * How well this address serves to reach another: 0 if not at all; the most specific network is
   * the best.
   */
  int fitness(InetAddress to) {
    if (!isSameFamily(to) || to.isLoopbackAddress() != address.isLoopbackAddress()) {
      return 0;
    }
    if (isNeighbour(to)) {
      return 2 + prefixLength;
    }
    return to.isLinkLocalAddress() || address.isLinkLocalAddress() ? 0 : 1;
  }
}
