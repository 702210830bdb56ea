package dev.weft.shell.server;

import dev.weft.shell.command.Services;
import dev.weft.shell.wire.Frame;
import dev.weft.shell.wire.FrameChannel;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens for clients on a Unix domain socket. Thread-safe. */
public final class SocketServer implements AutoCloseable {
  /** Most clients at once. */
  public static final int MAXIMUM_SESSIONS = 32;

  private static final Logger LOG = LoggerFactory.getLogger(SocketServer.class);
  private static final long HELLO_SECONDS = 10;
  private static final long JOIN_MILLIS = 2_000;
  private static final long PAUSE_SECONDS = 1;

  private final SocketPlace place;
  private final ServerSocketChannel listening;
  private final Session.Setting setting;
  private final Set<Session> sessions = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService deadlines;
  private final Thread accepting;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile boolean closed;

  private SocketServer(SocketPlace place, ServerSocketChannel listening, Session.Setting setting) {
    this.place = place;
    this.listening = listening;
    this.setting = setting;
    this.deadlines =
        Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "weft shell deadlines"));
    this.accepting = daemon(this::accept, "weft shell accepts");
  }

  /**
   * Starts to listen on {@code weft.sock} in a folder.
   *
   * @param runFolder folder of the socket; must be this user's own with mode 0700
   * @param dataFolder where the path of the socket is written to, as file {@code socket}
   * @throws IOException if somebody else could open the socket, another manager listens on it, or
   *     it cannot be made
   */
  public static SocketServer start(
      Path runFolder, Path dataFolder, Services services, ConsoleHost consoles, Clock clock)
      throws IOException {
    SocketPlace place = SocketPlace.prepare(runFolder, dataFolder);
    ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      listening.bind(UnixDomainSocketAddress.of(place.socket()));
      Files.setPosixFilePermissions(place.socket(), PosixFilePermissions.fromString("rw-------"));
    } catch (IOException e) {
      listening.close();
      throw new IOException("cannot listen on " + place.socket() + ": " + e.getMessage(), e);
    }
    SocketServer server =
        new SocketServer(place, listening, new Session.Setting(services, consoles, clock));
    server.accepting.start();
    return server;
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  private void accept() {
    int number = 0;
    while (!closed) {
      try {
        SocketChannel client = listening.accept();
        number++;
        if (sessions.size() >= MAXIMUM_SESSIONS) {
          refuse(client);
        } else {
          open(client, "weft shell " + number);
        }
      } catch (IOException e) {
        if (closed || !isPauseOver(e)) {
          return;
        }
      }
    }
  }

  /** Such as too many open files: waits a little. Returns whether to go on. */
  private boolean isPauseOver(IOException failure) {
    LOG.error("a client could not be let in; trying again: {}", failure.toString());
    try {
      return !stopped.await(PAUSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void open(SocketChannel client, String name) throws IOException {
    // The kernel says who is at the other end of a socket on this machine.
    String user = client.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName();
    Session session = new Session(name, user, new FrameChannel(client), setting, sessions::remove);
    sessions.add(session);
    session.start();
    try {
      var deadline =
          deadlines.schedule(() -> endUnlessStarted(session), HELLO_SECONDS, TimeUnit.SECONDS);
      if (closed) {
        deadline.cancel(false);
        session.end();
      }
    } catch (RejectedExecutionException e) {
      session.end(); // the server was closed meanwhile
    }
  }

  private static void endUnlessStarted(Session session) {
    if (!session.isStarted()) {
      session.end();
    }
  }

  private static void refuse(SocketChannel client) {
    String message =
        "weft: "
            + MAXIMUM_SESSIONS
            + " clients are connected to the manager already: end one and try again\n";
    try (FrameChannel channel = new FrameChannel(client)) {
      channel.write(new Frame(Frame.Kind.ERRORS, message.getBytes(StandardCharsets.UTF_8)));
      channel.write(
          new Frame(Frame.Kind.EXIT, ByteBuffer.allocate(Integer.BYTES).putInt(1).array()));
    } catch (IOException e) {
      LOG.debug("a client that was refused has gone: {}", e.toString());
    }
  }

  /** Number of clients now. */
  public int sessions() {
    return sessions.size();
  }

  /** Ends all sessions and removes the socket; returns within a few seconds. */
  @Override
  public void close() {
    closed = true;
    stopped.countDown();
    deadlines.shutdownNow();
    Set<Session> open = Set.copyOf(sessions);
    try {
      listening.close();
      place.remove();
    } catch (IOException e) {
      LOG.warn("the socket for clients was not removed: {}", e.toString());
    }
    open.forEach(Session::end);
    try {
      accepting.join(JOIN_MILLIS);
      for (Session session : open) {
        session.join(JOIN_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
