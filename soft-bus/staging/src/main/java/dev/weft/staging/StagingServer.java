package dev.weft.staging;

import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on one port of several addresses and gives each connection a thread, up to a limit: what
 * comes beyond it is closed at once, and its node tries again.
 */
final class StagingServer implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(StagingServer.class);
  private static final int BACKLOG = 128;
  private static final int PORTS_TRIED = 20;
  private static final long PAUSE_MILLIS = 200;
  private static final long THREAD_IDLE_SECONDS = 10;
  private static final long WARNING_PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final ServerSession sessions;
  private final Duration timeout;
  private final List<ServerSocketChannel> listeners;
  private final ThreadPoolExecutor threads;
  private final Set<Wire> connections = ConcurrentHashMap.newKeySet();
  private final AtomicLong nextWarning = new AtomicLong(System.nanoTime());
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile boolean closed;

  /**
   * Opens the port and starts.
   *
   * @param addresses where to listen, at least one
   * @param port which port, 0 for any that is free on all of them
   * @param limit most connections at a time
   * @param timeout for each read and write
   */
  StagingServer(
      List<InetAddress> addresses, int port, int limit, Duration timeout, ServerSession sessions)
      throws IOException {
    this.sessions = sessions;
    this.timeout = timeout;
    this.listeners = listen(addresses, port);
    this.threads =
        new ThreadPoolExecutor(
            0,
            limit,
            THREAD_IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> thread(task, "staging connection"));
    for (ServerSocketChannel listener : listeners) {
      thread(() -> accept(listener), "staging listener").start();
    }
  }

  private static Thread thread(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((where, e) -> LOG.error("{} failed", name, e));
    return thread;
  }

  private static List<ServerSocketChannel> listen(List<InetAddress> addresses, int port)
      throws IOException {
    BindException last = new BindException("no address to listen on");
    for (int i = 0; i < (port == 0 ? PORTS_TRIED : 1); i++) {
      List<ServerSocketChannel> open = new ArrayList<>();
      int chosen = port;
      try {
        for (InetAddress address : addresses) {
          ServerSocketChannel listener = ServerSocketChannel.open();
          open.add(listener);
          listener.bind(new InetSocketAddress(address, chosen), BACKLOG);
          chosen = listener.socket().getLocalPort();
        }
        if (!open.isEmpty()) {
          return List.copyOf(open);
        }
      } catch (BindException e) {
        // The port that is free on one address is taken on another: try another port.
        last = new BindException(e.getMessage() + ": " + addresses + " port " + chosen);
        closeAll(open);
      } catch (IOException e) {
        closeAll(open);
        throw e;
      }
    }
    throw last;
  }

  /** The port on every address. */
  int port() {
    return listeners.get(0).socket().getLocalPort();
  }

  /** How many connections there are now. */
  int connections() {
    return connections.size();
  }

  private void accept(ServerSocketChannel listener) {
    while (!closed) {
      try {
        SocketChannel channel = listener.accept();
        try {
          threads.execute(() -> serve(channel));
        } catch (RejectedExecutionException e) {
          channel.close();
          warn("more than {} connections; the latest was closed", threads.getMaximumPoolSize());
        }
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        warn("a connection could not be accepted: {}", e);
        if (!isPauseOver()) {
          return;
        }
      }
    }
  }

  /** Such as too many open files: waits a little. Returns whether to go on. */
  private boolean isPauseOver() {
    try {
      return !stopped.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void warn(String message, Object argument) {
    long due = nextWarning.get();
    if (System.nanoTime() - due >= 0
        && nextWarning.compareAndSet(due, System.nanoTime() + WARNING_PERIOD_NANOS)) {
      LOG.warn(message, argument);
    }
  }

  private void serve(SocketChannel channel) {
    try (Wire wire = new Wire(new TimedChannel(channel, timeout))) {
      connections.add(wire);
      try {
        if (!closed) {
          sessions.serve(wire);
        }
      } finally {
        connections.remove(wire);
      }
    } catch (IOException e) {
      // The node sees the same and tells it to whom it concerns.
      LOG.debug("a connection ended: {}", e.toString());
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    stopped.countDown();
    closeAll(listeners);
    closeAll(List.copyOf(connections));
    threads.shutdownNow();
  }

  private static void closeAll(List<? extends Closeable> all) throws IOException {
    for (Closeable one : all) {
      one.close();
    }
  }
}
