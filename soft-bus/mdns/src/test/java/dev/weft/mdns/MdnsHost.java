package dev.weft.mdns;

import dev.weft.testkit.DiscoveryHost;
import java.io.IOException;
import java.util.List;

/** mDNS discovery as a program: {@code MdnsHost NUMBER INTERFACE…}. */
final class MdnsHost {
  private MdnsHost() {}

  public static void main(String[] arguments) throws IOException {
    List<String> all = List.of(arguments);
    DiscoveryHost.run(
        new MdnsDiscovery(true), Integer.parseInt(all.get(0)), all.subList(1, all.size()));
  }
}
