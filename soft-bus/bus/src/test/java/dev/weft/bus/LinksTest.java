package dev.weft.bus;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.bus.Announcement;
import dev.weft.api.bus.Discovery;
import dev.weft.api.bus.Role;
import dev.weft.api.bus.Transport;
import dev.weft.core.bus.BusStatus;
import dev.weft.core.bus.LocalNode;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Transports and discoveries that come, go, fail and hang. */
class LinksTest {
  private static final Duration RETRY = Duration.ofMillis(100);
  private static final Duration OPENING = Duration.ofMillis(500);
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  private final List<AutoCloseable> open = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
  }

  private Links links(int port, boolean discover, InetAddress... addresses) {
    LocalNode self =
        new LocalNode(SimulatedNode.id(1), 1, "host", Set.of(Role.AGENT), List.of(addresses));
    BusLoop loop =
        BusLoop.threaded(
            self,
            Duration.ofSeconds(10),
            () -> {
              throw new AssertionError("no status here");
            });
    loop.start();
    Links links = new Links(self, port, discover, loop, RETRY, OPENING);
    open.add(links);
    open.add(loop::stop);
    return links;
  }

  private static BusStatus status(Links links) {
    return links.status(List.of());
  }

  private static void awaitEndpoints(Links links, String... expected) {
    await().until(() -> status(links).endpoints().equals(List.of(expected)));
  }

  private static void awaitWarning(Links links, String part) {
    await().until(() -> status(links).warnings().stream().anyMatch(text -> text.contains(part)));
  }

  private static final class FakeTransport implements Transport {
    final List<Integer> tried = new CopyOnWriteArrayList<>();
    final List<List<InetAddress>> addresses = new CopyOnWriteArrayList<>();
    volatile int firstFree;
    volatile boolean broken;
    final AtomicInteger closed = new AtomicInteger();

    @Override
    public Endpoint open(List<InetAddress> wanted, int port, Receiver receiver) throws IOException {
      tried.add(port);
      addresses.add(wanted);
      if (broken) {
        throw new IllegalStateException("broken on purpose");
      }
      if (port < firstFree) {
        throw new BindException("port " + port + " is taken");
      }
      return new Endpoint() {
        @Override
        public List<InetSocketAddress> addresses() {
          return wanted.stream().map(one -> new InetSocketAddress(one, port)).toList();
        }

        @Override
        public int maximumFrame() {
          return 1_024;
        }

        @Override
        public void send(InetSocketAddress to, byte[] frame, Consumer<Sent> done) {
          done.accept(new Sent.Delivered());
        }

        @Override
        public void close() {
          closed.incrementAndGet();
        }
      };
    }
  }

  private static final class FakeDiscovery implements Discovery {
    final List<Announcement> announced = new CopyOnWriteArrayList<>();
    final CountDownLatch free = new CountDownLatch(1);
    volatile boolean hangs;
    volatile boolean broken;
    final AtomicInteger closed = new AtomicInteger();

    @Override
    public String name() {
      return "fake";
    }

    @Override
    public Search start(Announcement own, List<InetAddress> addresses, Listener listener) {
      if (broken) {
        throw new IllegalStateException("broken on purpose");
      }
      while (hangs && free.getCount() > 0) {
        Thread.onSpinWait();
      }
      announced.add(own);
      listener.traced(new Trace("fake0", Trace.Kind.SENT, "hello"));
      return () -> closed.incrementAndGet();
    }
  }

  @Test
  void theNextFreePortIsTaken() {
    Links links = links(7250, false, LOOPBACK);
    assertEquals(List.of("no transport is open yet"), status(links).warnings());
    FakeTransport transport = new FakeTransport();
    transport.firstFree = 7253;
    links.add(transport, "fake");
    awaitEndpoints(links, "fake://127.0.0.1:7253");
    assertEquals(List.of(7250, 7251, 7252, 7253), transport.tried);
    assertEquals(List.of(), status(links).warnings());
  }

  @Test
  void aTransportThatFailsIsTriedAgain() {
    Links links = links(7250, false, LOOPBACK);
    FakeTransport transport = new FakeTransport();
    transport.broken = true;
    links.add(transport, "fake");
    awaitWarning(links, "cannot listen: fake failed: java.lang.IllegalStateException: broken");
    transport.broken = false;
    awaitEndpoints(links, "fake://127.0.0.1:7250");
    assertEquals(List.of(), status(links).warnings());
  }

  @Test
  void noFreePortIsSaid() {
    Links links = links(7250, false, LOOPBACK);
    FakeTransport transport = new FakeTransport();
    transport.firstFree = 65_535;
    links.add(transport, "fake");
    awaitWarning(links, "port 7350 is taken");
  }

  @Test
  void anotherTransportTakesOverAndTheNewPortIsAnnounced() {
    Links links = links(7250, true, LOOPBACK);
    FakeTransport first = new FakeTransport();
    FakeTransport second = new FakeTransport();
    second.firstFree = 7255;
    FakeDiscovery discovery = new FakeDiscovery();
    links.add(first, "one");
    links.add(second, "two");
    links.add(discovery);
    await().until(() -> discovery.announced.size() == 1);
    links.remove(first);
    awaitEndpoints(links, "two://127.0.0.1:7255");
    await().until(() -> discovery.announced.size() == 2);
    assertEquals(1, first.closed.get());
    assertEquals(1, discovery.closed.get());
    assertEquals(
        List.of(7250, 7255), discovery.announced.stream().map(Announcement::port).toList());
    links.remove(discovery);
    await().until(() -> discovery.closed.get() == 2);
  }

  @Test
  void anAddressThatIsNotThereIsSaidAndLeftOut() throws IOException {
    InetAddress absent = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 77});
    Links links = links(7250, false, LOOPBACK, absent);
    FakeTransport transport = new FakeTransport();
    links.add(transport, "fake");
    awaitEndpoints(links, "fake://127.0.0.1:7250");
    awaitWarning(links, "this machine does not have 192.0.2.77 now");
    awaitWarning(links, "insecure: anybody who reaches 192.0.2.77");
    assertEquals(List.of(List.of(LOOPBACK)), transport.addresses);
  }

  @Test
  void oneDiscoveryThatHangsOrFailsDoesNotStopTheOthers() {
    Links links = links(7250, true, LOOPBACK);
    FakeDiscovery hanging = new FakeDiscovery();
    hanging.hangs = true;
    FakeDiscovery broken = new FakeDiscovery();
    broken.broken = true;
    FakeDiscovery good = new FakeDiscovery();
    links.add(hanging);
    links.add(broken);
    links.add(good);
    links.add(new FakeTransport(), "fake");
    await().until(() -> good.announced.size() == 1);
    String status = status(links).discoveries().toString();
    assertTrue(status.contains("broken on purpose"), status);
    assertTrue(status.contains("gave no answer within 500 ms"), status);
    links.remove(hanging);
    hanging.free.countDown();
    await()
        .until(() -> hanging.closed.get() == hanging.announced.size() && hanging.closed.get() > 0);
    assertEquals(0, good.closed.get());
  }

  @Test
  void withoutDiscoveryNothingIsAnnounced() {
    Links links = links(7250, false, LOOPBACK);
    FakeDiscovery discovery = new FakeDiscovery();
    links.add(discovery);
    links.add(new FakeTransport(), "fake");
    awaitEndpoints(links, "fake://127.0.0.1:7250");
    assertFalse(discovery.announced.size() > 0);
  }
}
