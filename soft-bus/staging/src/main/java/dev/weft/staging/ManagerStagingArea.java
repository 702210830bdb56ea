package dev.weft.staging;

import dev.weft.api.ContentId;
import dev.weft.api.JobId;
import dev.weft.api.TaskId;
import dev.weft.core.staging.StagingArea;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The staging area of a manager over plain TCP. There is no encryption and nobody is authenticated
 * yet: that comes with the trust bundle and TLS; until then it listens only where {@code LocalNode}
 * allows, which is loopback by default.
 */
final class ManagerStagingArea implements StagingArea, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ManagerStagingArea.class);

  private final Offers offers = new Offers();
  private final Results results;
  private final ServerSession sessions;
  private final StagingServer server;

  /**
   * How an area is set up.
   *
   * @param port 0 for any
   * @param connections most at a time
   * @param timeout for each read and write
   * @param idle how long a connection may wait for its next request
   * @param diskReserve bytes that results must leave free
   */
  record Setup(int port, int connections, Duration timeout, Duration idle, long diskReserve) {}

  /** Opens an area below a folder and starts to listen. */
  ManagerStagingArea(Path folder, List<InetAddress> addresses, Setup setup, Disk disk)
      throws IOException {
    results = new Results(folder.resolve("results"));
    Path incoming = Folders.fresh(folder.resolve("incoming"));
    sessions =
        new ServerSession(offers, results, disk, incoming, setup.diskReserve(), setup.idle());
    server =
        new StagingServer(addresses, setup.port(), setup.connections(), setup.timeout(), sessions);
  }

  /** How many connections there are now. */
  int connections() {
    return server.connections();
  }

  void setDiskReserve(long bytes) {
    sessions.setReserve(bytes);
  }

  @Override
  public int port() {
    return server.port();
  }

  @Override
  public void offer(JobId job, ContentId content, Source source) {
    offers.add(job, content, source);
  }

  @Override
  public ContentId keep(TaskId task, byte[] result) throws IOException {
    return results.keep(task, result);
  }

  @Override
  public Source result(TaskId task, ContentId content) throws IOException {
    return results.find(task, content);
  }

  @Override
  public void forget(JobId job) {
    offers.forget(job);
    try {
      results.forget(job);
    } catch (IOException e) {
      LOG.warn("results of job {} could not be deleted: {}", job, e.toString());
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    results.close();
  }
}
