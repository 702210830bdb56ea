package dev.weft.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalAddressesTest {
  private static List<String> resolved(String setting, boolean insecure) {
    return LocalAddresses.resolve(setting, insecure).stream()
        .map(InetAddress::getHostAddress)
        .toList();
  }

  private static String refusal(String setting, boolean insecure) {
    return assertThrows(
            IllegalArgumentException.class, () -> LocalAddresses.resolve(setting, insecure))
        .getMessage();
  }

  @Test
  void loopbackNeedsNoLeave() {
    assertEquals(
        List.of("127.0.0.1", "127.0.0.9", "0:0:0:0:0:0:0:1"),
        resolved("127.0.0.1, 127.0.0.9 ,::1", false));
  }

  @Test
  void anyOtherAddressNeedsLeave() {
    assertEquals(
        "addresses = 192.0.2.1: 192.0.2.1 is not on the loopback interface, and links are not"
            + " authenticated yet; use 127.0.0.1, or set insecure = true on a network that you"
            + " trust",
        refusal("192.0.2.1", false));
    assertEquals(List.of("192.0.2.1"), resolved("192.0.2.1", true));
  }

  @Test
  void theStarIsEveryAddressOfTheMachine() {
    assertTrue(resolved("*", true).contains("127.0.0.1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "localhost", "127.0.0.1,", "*,127.0.0.1", "1.2.3.4/24", "300.1.1.1"})
  void whatIsNoAddressIsRefused(String setting) {
    String message = refusal(setting, true);
    assertTrue(message.startsWith("addresses: '"), message);
    assertTrue(message.contains("is not an IP address"), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::", "224.0.0.1", "ff02::1"})
  void whatStandsForManyIsRefused(String setting) {
    assertTrue(refusal(setting, true).contains(setting + " is no address of one interface"));
  }

  @Test
  void whatIsNamedTwiceIsTakenOnce() {
    assertEquals(List.of("127.0.0.1"), resolved("127.0.0.1,127.0.0.1", false));
  }

  @Test
  void tooManyAreRefused() {
    String setting =
        IntStream.rangeClosed(1, 65)
            .mapToObj(host -> "127.0.0." + host)
            .collect(Collectors.joining(","));
    assertTrue(refusal(setting, false).contains("1 to 64"));
  }

  @Test
  void onlyWhatTheMachineHasIsPresent() throws Exception {
    InetAddress absent = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 77});
    InetAddress loopback = InetAddress.getLoopbackAddress();
    assertEquals(List.of(loopback), LocalAddresses.present(List.of(absent, loopback)));
  }
}
