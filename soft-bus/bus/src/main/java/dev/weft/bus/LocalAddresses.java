package dev.weft.bus;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Turns the setting {@code addresses} into addresses of this machine. */
final class LocalAddresses {
  private static final int MAXIMUM = 64;

  private LocalAddresses() {}

  /**
   * Addresses to listen on.
   *
   * @param setting IP addresses with commas between them, or {@code *}
   * @param insecure whether others than loopback are allowed
   * @throws IllegalArgumentException if the setting is wrong; the message says what was expected
   */
  static List<InetAddress> resolve(String setting, boolean insecure) {
    List<InetAddress> named =
        setting.strip().equals("*") ? ofTheMachine() : named(setting.split(",", -1));
    List<InetAddress> addresses = named.stream().distinct().toList();
    for (InetAddress address : addresses) {
      if (!address.isLoopbackAddress() && !insecure) {
        throw new IllegalArgumentException(
            "addresses = "
                + setting
                + ": "
                + address.getHostAddress()
                + " is not on the loopback interface, and links are not authenticated yet; use"
                + " 127.0.0.1, or set insecure = true on a network that you trust");
      }
    }
    if (addresses.isEmpty() || addresses.size() > MAXIMUM) {
      throw new IllegalArgumentException(
          "addresses = " + setting + ": expected 1 to " + MAXIMUM + " addresses of this machine");
    }
    return addresses;
  }

  /** Those of the addresses that the machine has now. */
  static List<InetAddress> present(List<InetAddress> addresses) {
    return addresses.stream().filter(LocalAddresses::isPresent).toList();
  }

  private static boolean isPresent(InetAddress address) {
    try {
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return false; // asked again a few seconds later
    }
  }

  private static List<InetAddress> named(String[] names) {
    List<InetAddress> addresses = new ArrayList<>();
    for (String name : names) {
      String text = name.strip();
      // Only what looks like an address, so that no name service is asked.
      if (!text.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(%\\w+)?")) {
        throw new IllegalArgumentException(
            "addresses: '" + text + "' is not an IP address, nor is the whole setting *");
      }
      try {
        InetAddress address = InetAddress.getByName(text);
        if (address.isAnyLocalAddress() || address.isMulticastAddress()) {
          throw new IllegalArgumentException(
              "addresses: " + text + " is no address of one interface; for all of them write *");
        }
        addresses.add(address);
      } catch (UnknownHostException e) {
        throw new IllegalArgumentException("addresses: '" + text + "' is not an IP address", e);
      }
    }
    return addresses;
  }

  private static List<InetAddress> ofTheMachine() {
    List<InetAddress> addresses = new ArrayList<>();
    try {
      for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
        if (network.isUp()) {
          addresses.addAll(Collections.list(network.getInetAddresses()));
        }
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("the network interfaces cannot be listed: " + e, e);
    }
    return addresses;
  }
}
