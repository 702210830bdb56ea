package dev.weft.coap;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.bus.Discovery;
import dev.weft.api.bus.Discovery.Trace;
import dev.weft.testkit.DiscoveryContract;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CoapDiscoveryTest extends DiscoveryContract {
  private final int port = 40_000 + new Random().nextInt(20_000);

  @Override
  protected Discovery discovery() {
    return new CoapDiscovery(true, port);
  }

  @Override
  protected List<InetAddress> addresses() {
    return List.of(CoapTransportTest.loopback(1));
  }

  @Test
  void garbageToTheGroupIsDroppedWithAReason() throws Exception {
    long seed = 7;
    Random random = new Random(seed);
    Heard heard = new Heard();
    Discovery.Search search = start(announcement(1), heard);
    await().atMost(foundWithin()).until(() -> heard.traced(Trace.Kind.SENT));
    try (DatagramSocket socket = new DatagramSocket(0, CoapTransportTest.loopback(1))) {
      socket.setOption(
          StandardSocketOptions.IP_MULTICAST_IF,
          NetworkInterface.getByInetAddress(CoapTransportTest.loopback(1)));
      InetSocketAddress group = new InetSocketAddress("224.0.1.187", port);
      for (int i = 0; i < 500; i++) {
        byte[] garbage = new byte[random.nextInt(1_400)];
        random.nextBytes(garbage);
        socket.send(new DatagramPacket(garbage, garbage.length, group));
      }
    }
    await()
        .atMost(Duration.ofSeconds(2))
        .until(() -> heard.traces().stream().anyMatch(it -> it.toString().contains("malformed")));
    Heard other = new Heard();
    start(announcement(2), other);
    await().atMost(foundWithin()).until(() -> heard.sees(2) && other.sees(1));
    search.close();
  }

  @Test
  void ownQuestionsAreDroppedAndCounted() throws Exception {
    Heard heard = new Heard();
    start(announcement(1), heard);
    await()
        .atMost(Duration.ofSeconds(2))
        .until(
            () ->
                heard.traces().stream()
                    .anyMatch(
                        it -> it.kind() == Trace.Kind.DROPPED && it.detail().startsWith("own")));
  }

  @Test
  void anotherPortIsAnotherWorld() throws Exception {
    Heard heard = new Heard();
    start(announcement(1), heard);
    Heard other = new Heard();
    try (Discovery.Search search =
        new CoapDiscovery(true, port - 1).start(announcement(2), addresses(), other)) {
      await().during(Duration.ofMillis(1_200)).until(() -> !heard.sees(2) && !other.sees(1));
      assertTrue(other.traced(Trace.Kind.SENT), search.toString());
    }
  }

  @Test
  void offMeansATraceAndNothingElse() throws Exception {
    Heard heard = new Heard();
    new CoapDiscovery(false, port).start(announcement(1), addresses(), heard).close();
    assertEquals(
        List.of(new Trace("-", Trace.Kind.FAILED, "off: discovery = false in weft.coap")),
        heard.traces());
  }

  @Test
  void noUsableAddressIsAnError() throws Exception {
    byte[] bytes = new byte[16];
    bytes[15] = 1;
    InetAddress six = InetAddress.getByAddress(bytes);
    assertThrows(
        IOException.class, () -> discovery().start(announcement(1), List.of(six), new Heard()));
  }

  @Test
  void anAddressThatIsNotThereIsReportedOnce() throws Exception {
    Heard heard = new Heard();
    InetAddress foreign = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1});
    try (Discovery.Search search = discovery().start(announcement(1), List.of(foreign), heard)) {
      await().during(Duration.ofMillis(2_500)).until(() -> heard.traces().size() <= 1);
      assertTrue(heard.traces().get(0).detail().contains("192.0.2.1"), search.toString());
    }
  }
}
