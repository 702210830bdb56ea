package dev.weft.testkit;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.Bytes;
import dev.weft.api.bus.Transport;
import dev.weft.api.bus.Transport.Sent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Transport} must do. A transport's test extends this; all runs over the
 * addresses that it gives. Order is not part of the contract, and duplicates are allowed.
 */
public abstract class TransportContract {
  private static final int WINDOW = 64;

  private final List<Transport.Endpoint> opened = new ArrayList<>();

  /** For subclasses. */
  protected TransportContract() {}

  /** The transport under test. */
  protected abstract Transport transport();

  /** Local addresses to open it on, at least one. */
  protected abstract List<InetAddress> addresses();

  /** An address of the same family where nobody listens. */
  protected abstract InetSocketAddress unreachable() throws IOException;

  /** Time after which a frame must be delivered or failed. */
  protected Duration bound() {
    return Duration.ofSeconds(6);
  }

  /** Opens an endpoint that is closed after the test. */
  protected final Transport.Endpoint open(int port, Transport.Receiver receiver)
      throws IOException {
    Transport.Endpoint endpoint = transport().open(addresses(), port, receiver);
    opened.add(endpoint);
    return endpoint;
  }

  @AfterEach
  void closeAll() {
    opened.forEach(Transport.Endpoint::close);
  }

  @Test
  void listensOnEveryAddressWithOnePort() throws IOException {
    Transport.Endpoint endpoint = open(0, (from, frame) -> {});
    List<InetSocketAddress> listening = endpoint.addresses();
    assertEquals(addresses(), listening.stream().map(InetSocketAddress::getAddress).toList());
    assertEquals(1, listening.stream().map(InetSocketAddress::getPort).distinct().count());
    assertNotEquals(0, listening.get(0).getPort());
  }

  @Test
  void carriesFramesOfEverySizeUnchanged() throws Exception {
    Map<Integer, Bytes> received = new ConcurrentHashMap<>();
    Transport.Endpoint sender = open(0, (from, frame) -> {});
    Transport.Endpoint target =
        open(0, (from, frame) -> received.put(frame.length, Bytes.of(frame)));
    Random random = new Random(7);
    for (int size : List.of(1, 11, 1_024, 1_500, 16_385, sender.maximumFrame())) {
      byte[] frame = new byte[size];
      random.nextBytes(frame);
      assertEquals(new Sent.Delivered(), send(sender, address(target), frame), "size " + size);
      assertEquals(Bytes.of(frame), received.get(size));
    }
  }

  @Test
  void refusesAFrameAboveTheLimit() throws Exception {
    Transport.Endpoint sender = open(0, (from, frame) -> {});
    Transport.Endpoint target = open(0, (from, frame) -> {});
    assertInstanceOf(
        Sent.Failed.class, send(sender, address(target), new byte[sender.maximumFrame() + 1]));
  }

  @Test
  void everyDeliveredFrameHasArrivedAndEveryFrameIsReportedOnce() throws Exception {
    int count = 2_000;
    Set<Integer> received = ConcurrentHashMap.newKeySet();
    Transport.Endpoint target =
        open(0, (from, frame) -> received.add(ByteBuffer.wrap(frame).getInt()));
    Transport.Endpoint sender = open(0, (from, frame) -> {});
    Semaphore window = new Semaphore(WINDOW);
    Map<Integer, Sent> sent = new ConcurrentHashMap<>();
    AtomicInteger reports = new AtomicInteger();
    for (int i = 0; i < count; i++) {
      int number = i;
      assertTrue(window.tryAcquire(bound().toMillis(), TimeUnit.MILLISECONDS), "stalled at " + i);
      sender.send(
          address(target),
          ByteBuffer.allocate(200).putInt(i).array(),
          result -> {
            sent.put(number, result);
            reports.incrementAndGet();
            window.release();
          });
    }
    await().atMost(bound()).until(() -> reports.get() >= count);
    sent.forEach(
        (number, result) -> {
          if (result instanceof Sent.Delivered) {
            assertTrue(received.contains(number), "delivered but not received: " + number);
          }
        });
    long delivered = sent.values().stream().filter(Sent.Delivered.class::isInstance).count();
    assertTrue(delivered >= count * 99 / 100, delivered + " of " + count + " delivered");
    await().during(Duration.ofMillis(200)).until(() -> reports.get() == count);
  }

  @Test
  void anAnswerToTheSourceReachesTheSender() throws Exception {
    CompletableFuture<String> answer = new CompletableFuture<>();
    CompletableFuture<InetSocketAddress> source = new CompletableFuture<>();
    Transport.Endpoint asker = open(0, (from, frame) -> answer.complete(Bytes.of(frame).toText()));
    Transport.Endpoint target = open(0, (from, frame) -> source.complete(from));
    assertEquals(new Sent.Delivered(), send(asker, address(target), Bytes.of("ask").toArray()));
    InetSocketAddress from = source.get(bound().toMillis(), TimeUnit.MILLISECONDS);
    assertEquals(address(asker), from);
    assertEquals(new Sent.Delivered(), send(target, from, Bytes.of("answer").toArray()));
    assertEquals("answer", answer.get(bound().toMillis(), TimeUnit.MILLISECONDS));
  }

  @Test
  void anUnreachableAddressFailsInTime() throws Exception {
    Transport.Endpoint sender = open(0, (from, frame) -> {});
    assertInstanceOf(Sent.Failed.class, send(sender, unreachable(), new byte[10]));
  }

  @Test
  void lossIsReportedAndAReopenedPeerIsReachedAgain() throws Exception {
    Transport.Endpoint sender = open(0, (from, frame) -> {});
    Transport.Endpoint first = open(0, (from, frame) -> {});
    InetSocketAddress to = address(first);
    assertEquals(new Sent.Delivered(), send(sender, to, new byte[10]));
    first.close();
    assertInstanceOf(Sent.Failed.class, send(sender, to, new byte[10]));
    List<Integer> received = new CopyOnWriteArrayList<>();
    open(to.getPort(), (from, frame) -> received.add(frame.length));
    assertEquals(new Sent.Delivered(), send(sender, to, new byte[20]));
    assertTrue(received.contains(20), received.toString());
  }

  @Test
  void aSenderThatIsReopenedReachesItsPeerAgain() throws Exception {
    List<Integer> received = new CopyOnWriteArrayList<>();
    Transport.Endpoint target = open(0, (from, frame) -> received.add(frame.length));
    Transport.Endpoint first = open(0, (from, frame) -> {});
    int port = address(first).getPort();
    for (int i = 1; i <= 10; i++) {
      assertEquals(new Sent.Delivered(), send(first, address(target), new byte[i]));
    }
    first.close();
    Transport.Endpoint second = open(port, (from, frame) -> {});
    for (int i = 11; i <= 20; i++) {
      assertEquals(new Sent.Delivered(), send(second, address(target), new byte[i]));
      assertTrue(received.contains(i), received.toString());
    }
  }

  @Test
  void sendingNeitherBlocksNorThrowsHoweverMuchIsUnderWay() throws Exception {
    int count = 20_000;
    Transport.Endpoint sender = open(0, (from, frame) -> {});
    InetSocketAddress silent = unreachable();
    AtomicInteger reports = new AtomicInteger();
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      sender.send(silent, new byte[10], result -> reports.incrementAndGet());
    }
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    assertTrue(took.compareTo(bound()) < 0, "sending took " + took);
    await().atMost(bound()).until(() -> reports.get() >= count);
    await().during(Duration.ofMillis(200)).until(() -> reports.get() == count);
  }

  @Test
  void closingReportsWhatIsUnderWayAndIsIdempotent() throws Exception {
    Transport.Endpoint sender = open(0, (from, frame) -> {});
    CompletableFuture<Sent> underWay = new CompletableFuture<>();
    sender.send(unreachable(), new byte[10], underWay::complete);
    sender.close();
    sender.close();
    assertInstanceOf(Sent.Failed.class, underWay.get(bound().toMillis(), TimeUnit.MILLISECONDS));
    assertInstanceOf(Sent.Failed.class, send(sender, unreachable(), new byte[10]));
  }

  @Test
  void aPortInUseIsRefusedWithAMessageThatNamesIt() throws IOException {
    Transport.Endpoint first = open(0, (from, frame) -> {});
    int port = address(first).getPort();
    IOException refusal = assertThrows(IOException.class, () -> open(port, (from, frame) -> {}));
    assertTrue(refusal.getMessage().contains(String.valueOf(port)), refusal.getMessage());
  }

  /** First address of an endpoint. */
  protected static InetSocketAddress address(Transport.Endpoint endpoint) {
    return endpoint.addresses().get(0);
  }

  /** Sends a frame and waits for what becomes of it. */
  protected final Sent send(Transport.Endpoint sender, InetSocketAddress to, byte[] frame)
      throws Exception {
    CompletableFuture<Sent> result = new CompletableFuture<>();
    sender.send(to, frame, result::complete);
    return result.get(bound().toMillis(), TimeUnit.MILLISECONDS);
  }
}
