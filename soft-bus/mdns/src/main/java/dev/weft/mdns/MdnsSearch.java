package dev.weft.mdns;

import dev.weft.api.bus.Announcement;
import dev.weft.api.bus.Discovery;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** A search under way: the links, and a thread that looks after them every second. */
final class MdnsSearch implements Discovery.Search {
  private static final long CHECK_SECONDS = 1;
  private static final long TELL_AGAIN_SECONDS = 5;
  private static final long CLOSE_MILLIS = 2_800;

  private final List<MdnsLink> links;
  private final ScheduledExecutorService checks =
      Executors.newSingleThreadScheduledExecutor(threads("weft-mdns"));
  private final ThreadPoolExecutor blocking;
  private final AtomicBoolean closed = new AtomicBoolean();

  MdnsSearch(List<InetAddress> addresses, Announcement own, Discovery.Listener listener) {
    // A link opens or closes, never both at once, and one more task may end it.
    this.blocking =
        new ThreadPoolExecutor(
            0,
            2 * addresses.size(),
            1,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            threads("weft-mdns-start-stop"));
    this.links =
        IntStream.range(0, addresses.size())
            .mapToObj(i -> new MdnsLink(i + 1, addresses.get(i), own, listener, blocking))
            .toList();
    // They are stopped together, by the shutdown.
    repeat(CHECK_SECONDS, 0, MdnsLink::check);
    repeat(TELL_AGAIN_SECONDS, TELL_AGAIN_SECONDS, MdnsLink::tellAgain);
  }

  private void repeat(long seconds, long first, Consumer<MdnsLink> what) {
    var unused =
        checks.scheduleWithFixedDelay(
            () -> links.forEach(link -> link.survive(what)), first, seconds, TimeUnit.SECONDS);
    assert unused != null;
  }

  private static ThreadFactory threads(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    checks.shutdown();
    CountDownLatch ended = new CountDownLatch(links.size());
    for (MdnsLink link : links) {
      blocking.execute(
          () -> {
            try {
              link.end();
            } finally {
              ended.countDown();
            }
          });
    }
    try {
      if (!ended.await(CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
        // What is left ends by itself on its daemon thread.
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
