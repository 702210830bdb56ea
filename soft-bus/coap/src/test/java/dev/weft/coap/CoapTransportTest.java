package dev.weft.coap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.bus.Transport;
import dev.weft.api.bus.Transport.Sent;
import dev.weft.testkit.TransportContract;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.network.serialization.UdpDataParser;
import org.eclipse.californium.core.network.serialization.UdpDataSerializer;
import org.junit.jupiter.api.Test;

class CoapTransportTest extends TransportContract {
  @Override
  protected Transport transport() {
    return new CoapTransport();
  }

  @Override
  protected List<InetAddress> addresses() {
    return List.of(loopback(1));
  }

  @Override
  protected InetSocketAddress unreachable() throws IOException {
    try (DatagramSocket free = new DatagramSocket(0, loopback(1))) {
      return new InetSocketAddress(loopback(1), free.getLocalPort());
    }
  }

  static InetAddress loopback(int last) {
    try {
      return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void garbageDoesNoHarm() throws Exception {
    long seed = 20_261_201;
    Random random = new Random(seed);
    AtomicInteger received = new AtomicInteger();
    Transport.Endpoint sender = open(0, (from, frame) -> {});
    Transport.Endpoint target = open(0, (from, frame) -> received.incrementAndGet());
    try (DatagramSocket socket = new DatagramSocket(0, loopback(1))) {
      for (int i = 0; i < 3_000; i++) {
        byte[] garbage = new byte[random.nextInt(i % 100 == 0 ? 65_507 : 200)];
        random.nextBytes(garbage);
        if (garbage.length > 0 && i % 2 == 0) {
          garbage[0] = (byte) (0x40 | (garbage[0] & 0x3f));
        }
        socket.send(new DatagramPacket(garbage, garbage.length, address(target)));
      }
    }
    assertEquals(0, received.get(), "seed " + seed);
    assertEquals(new Sent.Delivered(), send(sender, address(target), new byte[100]));
    assertEquals(1, received.get(), "seed " + seed);
  }

  @Test
  void whatIsNoFrameGetsAnErrorCode() throws Exception {
    Transport.Endpoint target = open(0, (from, frame) -> {});
    Request other = new Request(CoAP.Code.POST, CoAP.Type.CON);
    other.getOptions().addUriPath("other");
    assertEquals(CoAP.ResponseCode.NOT_FOUND, exchange(target, other));
    Request get = new Request(CoAP.Code.GET, CoAP.Type.CON);
    get.getOptions().addUriPath("weft");
    assertEquals(CoAP.ResponseCode.METHOD_NOT_ALLOWED, exchange(target, get));
    Request block = new Request(CoAP.Code.POST, CoAP.Type.CON);
    block.getOptions().addUriPath("weft").setBlock1(6, true, 0);
    block.setPayload(new byte[1024]);
    assertEquals(CoAP.ResponseCode.BAD_OPTION, exchange(target, block));
    Request large = new Request(CoAP.Code.POST, CoAP.Type.CON);
    large.getOptions().addUriPath("weft");
    large.setPayload(new byte[FrameEndpoint.MAXIMUM_FRAME + 1]);
    assertEquals(CoAP.ResponseCode.REQUEST_ENTITY_TOO_LARGE, exchange(target, large));
  }

  private static CoAP.ResponseCode exchange(Transport.Endpoint target, Request request)
      throws IOException {
    request.setMID(4_711);
    request.setToken(new byte[] {1, 2, 3});
    byte[] bytes = new UdpDataSerializer().getByteArray(request);
    try (DatagramSocket socket = new DatagramSocket(0, loopback(1))) {
      socket.setSoTimeout(5_000);
      socket.send(new DatagramPacket(bytes, bytes.length, address(target)));
      DatagramPacket answer = new DatagramPacket(new byte[2_000], 2_000);
      socket.receive(answer);
      byte[] content = Arrays.copyOf(answer.getData(), answer.getLength());
      return ((Response) new UdpDataParser().parseMessage(content)).getCode();
    }
  }

  @Test
  void aPeerThatOnlyAcknowledgesIsGivenUp() throws Exception {
    Transport.Endpoint sender = open(0, (from, frame) -> {});
    try (DatagramSocket peer = new DatagramSocket(0, loopback(1))) {
      CompletableFuture<Sent> result = new CompletableFuture<>();
      sender.send(
          new InetSocketAddress(loopback(1), peer.getLocalPort()), new byte[10], result::complete);
      DatagramPacket request = new DatagramPacket(new byte[200], 200);
      peer.receive(request);
      byte[] acknowledgement = {0x60, 0, request.getData()[2], request.getData()[3]};
      peer.send(
          new DatagramPacket(acknowledgement, acknowledgement.length, request.getSocketAddress()));
      assertInstanceOf(
          Sent.Failed.class, result.get(FrameEndpoint.MAXIMUM_SECONDS + 3, TimeUnit.SECONDS));
    }
  }

  @Test
  void frameTooManyToOnePeerFailsAtOnce() throws Exception {
    Transport.Endpoint sender = open(0, (from, frame) -> {});
    InetSocketAddress silent = unreachable();
    for (int i = 0; i < 256; i++) {
      sender.send(silent, new byte[1], result -> {});
    }
    CompletableFuture<Sent> result = new CompletableFuture<>();
    sender.send(silent, new byte[1], result::complete);
    assertEquals(new Sent.Failed("too many frames under way"), result.get(1, TimeUnit.SECONDS));
  }

  @Test
  void oneEndpointListensOnSeveralAddresses() throws Exception {
    List<InetAddress> both = List.of(loopback(1), loopback(2));
    Transport.Endpoint sender = open(0, (from, frame) -> {});
    AtomicInteger received = new AtomicInteger();
    try (Transport.Endpoint target =
        transport().open(both, 0, (from, frame) -> received.incrementAndGet())) {
      for (InetSocketAddress to : target.addresses()) {
        assertEquals(new Sent.Delivered(), send(sender, to, new byte[3]));
      }
      assertEquals(2, received.get());
    }
  }

  @Test
  void threadsEndAfterTheClose() throws Exception {
    Transport.Endpoint endpoint = open(0, (from, frame) -> {});
    String port = ":" + address(endpoint).getPort();
    assertTrue(port.length() > 1);
    endpoint.close();
    Awaitility.await()
        .atMost(5, TimeUnit.SECONDS)
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(
                        thread ->
                            thread.getName().startsWith("weft-coap")
                                || thread.getName().startsWith("UDP-")));
  }

  @Test
  void wildcardsAndForeignAddressesAreRefused() throws Exception {
    InetAddress wildcard = InetAddress.getByAddress(new byte[4]);
    InetAddress foreign = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1});
    for (List<InetAddress> bad :
        List.of(List.<InetAddress>of(), List.of(wildcard), List.of(foreign))) {
      assertThrows(IOException.class, () -> transport().open(bad, 0, (from, frame) -> {}));
    }
  }
}
