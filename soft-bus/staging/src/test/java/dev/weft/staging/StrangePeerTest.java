package dev.weft.staging;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.ContentId;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrangePeerTest extends StagingFixture {
  @ParameterizedTest
  @ValueSource(strings = {"GET / HTTP/1.1\r\n\r\n", "WS\u0001\u0009\u0000\u0000", "\u0000"})
  void strangerIsCutOff(String greeting) throws Exception {
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(greeting.getBytes(StandardCharsets.ISO_8859_1));
      socket.shutdownOutput();

      assertEquals(-1, readOne(socket));
    }
  }

  @Test
  void slowlorisIsCutOff() throws Exception {
    ContentId content = offer(file("input", bytes(1, 100)));
    byte[] request = new Request.Get(content).encode().array();
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      socket.setSoTimeout(10_000);
      OutputStream out = socket.getOutputStream();
      out.write(request, 0, 6);
      ScheduledExecutorService drip = Executors.newSingleThreadScheduledExecutor();
      open.add(drip::shutdownNow);
      var unused = drip.scheduleWithFixedDelay(() -> write(out), 100, 100, TimeUnit.MILLISECONDS);
      long start = System.nanoTime();

      assertEquals(-1, readOne(socket));
      assertTrue(System.nanoTime() - start < TIMEOUT.toNanos() * 4);
    }
  }

  @Test
  void peerThatTakesNothingIsCutOff() throws Exception {
    ContentId content = offer(file("input", bytes(1, 32 << 20)));
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      socket.getOutputStream().write(new Request.Get(content).encode().array());

      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> area.connections() == 0 && socket.getInputStream().available() > 0);
    }
  }

  @Test
  void moreConnectionsThanTheLimitAreClosed() throws Exception {
    ManagerStagingArea small = area(new Disk.Local(), 2);
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), small.port());
      open.add(socket);
      sockets.add(socket);
      int expected = Math.min(i + 1, 2);
      await().until(() -> small.connections() == expected);
    }
    sockets.get(2).setSoTimeout(5_000);

    assertEquals(-1, readOne(sockets.get(2)));
  }

  @Test
  void listensOnEveryAddressWithOnePort() throws Exception {
    InetAddress first = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    InetAddress second = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
    ManagerStagingArea both =
        new ManagerStagingArea(
            folder.resolve("both"),
            List.of(first, second),
            new ManagerStagingArea.Setup(0, 8, TIMEOUT, TIMEOUT, 0),
            new Disk.Local());
    open.add(both);
    for (InetAddress address : List.of(first, second)) {
      try (Socket socket = new Socket(address, both.port())) {
        assertTrue(socket.isConnected());
      }
    }
  }

  private static void write(OutputStream out) {
    try {
      out.write(0);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A byte, or -1 if the peer closed in any way. */
  private static int readOne(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    try {
      return in.read();
    } catch (SocketException e) {
      return -1;
    }
  }
}
