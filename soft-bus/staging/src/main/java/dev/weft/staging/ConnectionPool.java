package dev.weft.staging;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connections that wait for their next request, a few per address, for a short time. */
final class ConnectionPool implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionPool.class);

  /** Most idle connections to one address. */
  static final int MAXIMUM_IDLE = 4;

  /** Most addresses with idle connections. */
  private static final int MAXIMUM_ADDRESSES = 64;

  private final Duration timeout;
  private final Duration idle;
  private final Map<InetSocketAddress, Deque<Idle>> waiting = new HashMap<>();
  private final ScheduledExecutorService cleaner;
  private boolean closed;

  private record Idle(Wire wire, long since) {}

  /**
   * A pool.
   *
   * @param timeout for connecting, and for each read and write
   * @param idle how long a connection may wait
   */
  ConnectionPool(Duration timeout, Duration idle) {
    this.timeout = timeout;
    this.idle = idle;
    this.cleaner =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "staging idle connections");
              thread.setDaemon(true);
              return thread;
            });
    long period = Math.max(1, idle.toMillis() / 2);
    var unused =
        cleaner.scheduleWithFixedDelay(this::closeExpired, period, period, TimeUnit.MILLISECONDS);
  }

  /** A connection that was used before; the peer may have closed it. */
  synchronized Optional<Wire> reuse(InetSocketAddress address) {
    Deque<Idle> here = waiting.get(address);
    Idle latest = here == null ? null : here.pollLast();
    return Optional.ofNullable(latest).map(Idle::wire);
  }

  /** A new connection. */
  Wire connect(InetSocketAddress address) throws IOException {
    return new Wire(TimedChannel.connect(address, timeout));
  }

  /** Gives back a connection that is ready for another request. */
  synchronized void giveBack(InetSocketAddress address, Wire wire) {
    Deque<Idle> here = waiting.get(address);
    if (here == null && waiting.size() < MAXIMUM_ADDRESSES) {
      here = new ArrayDeque<>();
      waiting.put(address, here);
    }
    if (closed || here == null || here.size() >= MAXIMUM_IDLE) {
      close(wire);
    } else {
      here.addLast(new Idle(wire, System.nanoTime()));
    }
  }

  private synchronized void closeExpired() {
    long now = System.nanoTime();
    for (Deque<Idle> here : waiting.values()) {
      while (!here.isEmpty() && now - here.peekFirst().since() > idle.toNanos()) {
        close(here.pollFirst().wire());
      }
    }
    waiting.values().removeIf(Deque::isEmpty);
  }

  /** Closes a connection that is of no use any more. */
  void close(Wire wire) {
    try {
      wire.close();
    } catch (IOException e) {
      LOG.debug("a connection could not be closed: {}", e.toString());
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    cleaner.shutdownNow();
    waiting.values().forEach(here -> here.forEach(idleOne -> close(idleOne.wire())));
    waiting.clear();
  }
}
