package dev.weft.coap;

import dev.weft.testkit.DiscoveryHost;
import java.io.IOException;
import java.util.List;

/** CoAP discovery as a program: {@code CoapHost NUMBER INTERFACE…}. */
final class CoapHost {
  private CoapHost() {}

  public static void main(String[] arguments) throws IOException {
    List<String> all = List.of(arguments);
    DiscoveryHost.run(
        new CoapDiscovery(true, 5_683), Integer.parseInt(all.get(0)), all.subList(1, all.size()));
  }
}
