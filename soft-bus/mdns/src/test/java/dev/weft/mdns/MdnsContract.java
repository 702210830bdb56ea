package dev.weft.mdns;

import dev.weft.api.bus.Discovery;
import dev.weft.testkit.DiscoveryContract;
import dev.weft.testkit.DiscoveryHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/**
 * The contract over a real interface. Not run by itself, because mDNS does not work on loopback:
 * {@link ContractHost} runs it in a network namespace.
 */
final class MdnsContract extends DiscoveryContract {
  private final String networkInterface;

  MdnsContract(String networkInterface) {
    this.networkInterface = networkInterface;
  }

  @Override
  protected Discovery discovery() {
    return new MdnsDiscovery(true);
  }

  @Override
  protected List<InetAddress> addresses() {
    try {
      return DiscoveryHost.addresses(List.of(networkInterface)).stream()
          .filter(java.net.Inet4Address.class::isInstance)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected Duration foundWithin() {
    return Duration.ofSeconds(6);
  }

  // jmDNS removes what said goodbye when it next looks for what has ended, every 10 s.
  @Override
  protected Duration goodbyeWithin() {
    return Duration.ofSeconds(15);
  }
}
