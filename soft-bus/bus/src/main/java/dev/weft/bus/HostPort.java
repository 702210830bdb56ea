package dev.weft.bus;

import java.net.Inet6Address;
import java.net.InetSocketAddress;

/** Addresses as people write them. */
final class HostPort {
  private HostPort() {}

  /**
   * Such as {@code 192.0.2.1:7250} or {@code [2001:db8::1]:7250}; a name that was not looked up
   * stays.
   */
  static String text(InetSocketAddress address) {
    if (address.isUnresolved()) {
      return address.getHostString() + ":" + address.getPort();
    }
    String host = address.getAddress().getHostAddress();
    return (address.getAddress() instanceof Inet6Address ? "[" + host + "]" : host)
        + ":"
        + address.getPort();
  }
}
