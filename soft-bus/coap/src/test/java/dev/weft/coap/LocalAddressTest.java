package dev.weft.coap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class LocalAddressTest {
  private static final String LINK_LOCAL = "fe800000000000000000000000000001";

  @Test
  void theMostSpecificNetworkServesBest() throws Exception {
    LocalAddress wide = new LocalAddress(four("0a000001"), 2, "eth0", 8);
    LocalAddress narrow = new LocalAddress(four("0a010001"), 3, "eth1", 16);
    InetAddress to = four("0a010002");
    assertTrue(narrow.fitness(to) > wide.fitness(to));
    assertTrue(wide.fitness(to) > wide.fitness(four("08080808")));
    assertEquals(1, wide.fitness(four("08080808")));
  }

  @Test
  void loopbackAndTheRestAreApart() throws Exception {
    LocalAddress loopback = new LocalAddress(four("7f000001"), 1, "lo", 8);
    LocalAddress network = new LocalAddress(four("0a000001"), 2, "eth0", 8);
    assertEquals(0, loopback.fitness(four("0a000002")));
    assertEquals(0, network.fitness(four("7f000001")));
    assertTrue(loopback.fitness(four("7f000002")) > 0);
  }

  @Test
  void linkLocalAddressesAreReachedOnTheirOwnLinkOnly() throws Exception {
    LocalAddress link = new LocalAddress(six(LINK_LOCAL, 2), 2, "eth0", 64);
    assertTrue(link.fitness(six("fe800000000000000000000000000002", 2)) > 0);
    assertEquals(0, link.fitness(six("fe800000000000000000000000000002", 3)));
    assertEquals(0, link.fitness(six("20010db8000000000000000000000001", 0)));
    assertEquals(0, link.fitness(four("0a000001")));
  }

  @Test
  void anyLoopbackAddressIsHeldAndAForeignOneIsNot() throws Exception {
    assertEquals(four("7f000009"), LocalAddress.of(four("7f000009")).address());
    IOException refusal = assertThrows(IOException.class, () -> LocalAddress.of(four("c0000201")));
    assertTrue(refusal.getMessage().contains("192.0.2.1"), refusal.getMessage());
  }

  private static InetAddress four(String hex) throws IOException {
    return InetAddress.getByAddress(HexFormat.of().parseHex(hex));
  }

  private static InetAddress six(String hex, int scope) throws IOException {
    return Inet6Address.getByAddress(null, HexFormat.of().parseHex(hex), scope);
  }
}
