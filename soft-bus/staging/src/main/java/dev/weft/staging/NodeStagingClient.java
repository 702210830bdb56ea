package dev.weft.staging;

import dev.weft.api.AttemptId;
import dev.weft.api.ContentId;
import dev.weft.core.staging.StagingArea.Segment;
import dev.weft.core.staging.StagingArea.Source;
import dev.weft.core.staging.StagingClient;
import dev.weft.core.staging.StagingException;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's side of staging over plain TCP; encryption comes with the trust bundle and TLS. Every
 * content passes through the cache, small ones as well: a link is cheaper than a transfer. Several
 * fetches of one content share one transfer.
 */
final class NodeStagingClient implements StagingClient, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeStagingClient.class);

  /** How often a transfer that broke is tried again at once. */
  private static final int TRIES = 3;

  /** How often a fetch waits for the transfer of another. */
  private static final int MAXIMUM_WAITS = 8;

  private final Path incoming;
  private final Disk disk;
  private final ContentCache cache;
  private final ConnectionPool connections;
  private final AtomicLong names = new AtomicLong();
  private final Map<ContentId, CompletableFuture<Optional<FaultException>>> underWay =
      new ConcurrentHashMap<>();

  /**
   * How a client is set up.
   *
   * @param cacheLimit bytes
   * @param timeout for connecting, and for each read and write
   * @param idle how long an idle connection is kept
   */
  record Setup(long cacheLimit, Duration timeout, Duration idle) {}

  /** A client with its cache below a folder. */
  NodeStagingClient(Path folder, Setup setup, Disk disk) throws IOException {
    this.incoming = Folders.fresh(folder.resolve("fetching"));
    this.disk = disk;
    this.cache = new ContentCache(folder.resolve("cache"), setup.cacheLimit());
    this.connections = new ConnectionPool(setup.timeout(), setup.idle());
  }

  void setCacheLimit(long limit) {
    cache.setLimit(limit);
  }

  /** A conversation on one connection. */
  private interface Talk<T> {
    /** Talks; the connection can be used again afterwards unless it failed with an IOException. */
    T talk(Wire wire) throws IOException, FaultException;
  }

  @Override
  public void fetch(InetSocketAddress from, ContentId content, Path target)
      throws StagingException {
    try {
      for (int i = 0; i < MAXIMUM_WAITS; i++) {
        if (copy(content, target)) {
          return;
        }
        CompletableFuture<Optional<FaultException>> mine = new CompletableFuture<>();
        CompletableFuture<Optional<FaultException>> other = underWay.putIfAbsent(content, mine);
        if (other != null) {
          waitFor(other);
        } else if (bring(from, content, target, mine)) {
          return;
        }
      }
      download(from, content, target);
    } catch (FaultException e) {
      throw new StagingException(e.fault(), e);
    }
  }

  private boolean copy(ContentId content, Path target) throws FaultException {
    try {
      return cache.copy(content, target);
    } catch (IOException e) {
      throw disk(target, e);
    }
  }

  private static void waitFor(CompletableFuture<Optional<FaultException>> other)
      throws FaultException {
    Optional<FaultException> failure;
    try {
      failure = other.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = Optional.of(new FaultException(Faults.interrupted(), e));
    } catch (ExecutionException e) {
      throw new IllegalStateException("a transfer never completes exceptionally", e);
    }
    if (failure.isPresent()) {
      throw new FaultException(failure.get().fault(), failure.get());
    }
  }

  /**
   * Brings a content for everybody who waits for it.
   *
   * @return whether it is at the target already, because it does not fit into the cache
   */
  private boolean bring(
      InetSocketAddress from,
      ContentId content,
      Path target,
      CompletableFuture<Optional<FaultException>> mine)
      throws FaultException {
    Optional<FaultException> failure = Optional.empty();
    try {
      cache.checkLeftOver(content);
      if (copy(content, target)) {
        return true;
      }
      if (cache.reserve(content)) {
        failure = intoCache(from, content);
      } else {
        // Nobody needs to wait for what only this target gets.
        underWay.remove(content, mine);
        mine.complete(Optional.empty());
        download(from, content, target);
        return true;
      }
    } catch (IOException e) {
      throw disk(target, e);
    } finally {
      underWay.remove(content, mine);
      // Who waits is not to fail because this thread was interrupted: one of them takes over.
      boolean interrupted = Thread.currentThread().isInterrupted();
      mine.complete(interrupted ? Optional.empty() : failure);
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
    return false;
  }

  /** Brings a content into the cache, for which there is a reservation; says why not. */
  private Optional<FaultException> intoCache(InetSocketAddress from, ContentId content) {
    Path file = newFile();
    boolean added = false;
    try {
      receive(from, content, file);
      cache.add(content, file);
      added = true;
      return Optional.empty();
    } catch (FaultException e) {
      return Optional.of(e);
    } catch (IOException e) {
      return Optional.of(disk(file, e));
    } finally {
      if (!added) {
        cache.cancel(content);
        deleteQuietly(file);
      }
    }
  }

  private static void deleteQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("{} could not be deleted: {}", file, e.toString());
    }
  }

  private void download(InetSocketAddress from, ContentId content, Path target)
      throws FaultException {
    Path file = newFile();
    try {
      try {
        receive(from, content, file);
        ContentCache.makeReadOnly(file);
        if (Files.exists(target)) {
          throw new IOException("it exists already");
        }
        Files.move(file, target, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw disk(target, e);
    }
  }

  private Path newFile() {
    return incoming.resolve(names.incrementAndGet() + ".part");
  }

  private FaultException disk(Path file, IOException e) {
    Path folder = file.toAbsolutePath().getParent();
    return new FaultException(Faults.disk(file, disk.free(folder), e), e);
  }

  /** Fills a new file with the content; nothing is left if that fails. */
  private void receive(InetSocketAddress from, ContentId content, Path file) throws FaultException {
    String name = "";
    // A difference is looked at twice: bytes may have been damaged on the way.
    for (int i = 0; i < 2; i++) {
      name = talk(from, wire -> receiveOnce(wire, content, file));
      if (name.isEmpty()) {
        return;
      }
    }
    throw new FaultException(Faults.mismatch(name));
  }

  /** Empty if the content is right, else the name of what was sent. */
  private String receiveOnce(Wire wire, ContentId content, Path file)
      throws IOException, FaultException {
    Files.deleteIfExists(file);
    wire.sendRequest(new Request.Get(content));
    String name = wire.readAnswer();
    boolean right = false;
    try {
      right = Transfer.receive(wire, content, file, disk, false);
    } finally {
      if (!right) {
        Files.deleteIfExists(file);
      }
    }
    return right ? "" : name;
  }

  @Override
  public ContentId deliver(InetSocketAddress to, AttemptId attempt, Path file)
      throws StagingException {
    try {
      ContentId content = contentOf(file);
      Source source = new Source(List.of(new Segment(file, 0, content.length())));
      return talk(
          to,
          wire -> {
            wire.sendRequest(new Request.Put(attempt, content));
            wire.readAnswer();
            sendResult(wire, source);
            wire.readAnswer();
            return content;
          });
    } catch (FaultException e) {
      boolean changed = e.fault().code().equals(Faults.MISMATCH);
      throw new StagingException(changed ? Faults.resultMismatch(file) : e.fault(), e);
    }
  }

  private static void sendResult(Wire wire, Source source) throws IOException, FaultException {
    try {
      Transfer.send(wire, source);
    } catch (FaultException e) {
      wire.sendAborted(e.fault());
      throw e;
    }
  }

  private static ContentId contentOf(Path file) throws FaultException {
    try {
      return Transfer.contentOf(file);
    } catch (IOException e) {
      throw new FaultException(Faults.unreadable(file, e), e);
    }
  }

  /**
   * Talks on a connection, again from the start if it breaks: on one that was used before that says
   * little, its peer may have closed it meanwhile.
   */
  private <T> T talk(InetSocketAddress address, Talk<T> talk) throws FaultException {
    int tries = 0;
    while (true) {
      Optional<Wire> used = connections.reuse(address);
      tries += used.isPresent() ? 0 : 1;
      Wire wire = used.isPresent() ? used.get() : connect(address);
      boolean usable = false;
      try {
        T result = talk.talk(wire);
        usable = true;
        return result;
      } catch (IOException e) {
        if (tries >= TRIES || isFinal(e)) {
          throw new FaultException(Faults.unreachable(address, reason(e)), e);
        }
      } finally {
        if (usable) {
          connections.giveBack(address, wire);
        } else {
          connections.close(wire);
        }
      }
    }
  }

  /** Whether another try at once is of no use: a peer that is silent or speaks something else. */
  private static boolean isFinal(IOException e) {
    return Thread.currentThread().isInterrupted()
        || e instanceof ProtocolException
        || e instanceof SocketTimeoutException;
  }

  private Wire connect(InetSocketAddress address) throws FaultException {
    try {
      return connections.connect(address);
    } catch (IOException e) {
      throw new FaultException(Faults.unreachable(address, reason(e)), e);
    }
  }

  private static String reason(IOException e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  @Override
  public void close() {
    connections.close();
  }
}
