package dev.weft.coap;

import dev.weft.api.bus.Discovery;
import java.io.IOException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A search under way: one thread for the sockets of all links. */
final class CoapSearch implements Discovery.Search {
  private static final Logger LOG = LoggerFactory.getLogger(CoapSearch.class);
  private static final long CHECK_MILLIS = 1_000;
  private static final long CLOSE_MILLIS = 2_500;

  private final List<Link> links;
  private final Selector selector;
  private final Thread thread = new Thread(this::run, "weft-coap-discovery");
  private volatile boolean closed;

  CoapSearch(List<Link> links) throws IOException {
    this.links = List.copyOf(links);
    this.selector = Selector.open();
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try (selector) {
      long nextCheck = now();
      while (!closed) {
        long now = now();
        if (now >= nextCheck) {
          links.forEach(link -> link.check(selector, now));
          nextCheck = now + CHECK_MILLIS;
        }
        links.forEach(link -> link.tick(now));
        long due = nextCheck;
        for (Link link : links) {
          due = link.nextDue(due);
        }
        selector.select(CoapSearch::read, Math.max(1, due - now()));
      }
      links.forEach(Link::close);
    } catch (IOException | RuntimeException e) {
      LOG.error("CoAP discovery has stopped; restart the bundle weft.coap", e);
    }
  }

  private static void read(SelectionKey key) {
    ((Link) key.attachment()).read((DatagramChannel) key.channel(), now());
  }

  private static long now() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  @Override
  public void close() {
    closed = true;
    selector.wakeup();
    if (thread == Thread.currentThread()) {
      return;
    }
    try {
      thread.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
