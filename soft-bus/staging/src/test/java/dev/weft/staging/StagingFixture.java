package dev.weft.staging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.weft.api.AttemptId;
import dev.weft.api.ContentId;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.TaskId;
import dev.weft.core.staging.StagingArea.Segment;
import dev.weft.core.staging.StagingArea.Source;
import dev.weft.core.staging.StagingException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A staging area and a node on loopback, for one test. */
@Timeout(60)
abstract class StagingFixture {
  protected static final JobId JOB = new JobId("0123456789abcdef0123456789abcdef");
  protected static final AttemptId ATTEMPT = new AttemptId(new TaskId(JOB, 7), 2);
  protected static final Duration TIMEOUT = Duration.ofMillis(500);
  protected static final long MIB = 1 << 20;

  @TempDir Path folder;
  protected final List<AutoCloseable> open = new ArrayList<>();
  protected ManagerStagingArea area;
  protected NodeStagingClient client;
  protected InetSocketAddress address;
  protected int targets;

  @BeforeEach
  void start() throws IOException {
    area = area(new Disk.Local(), 256);
    client = client(new Disk.Local(), 16 * MIB, TIMEOUT);
    address = new InetSocketAddress(InetAddress.getLoopbackAddress(), area.port());
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
  }

  protected ManagerStagingArea area(Disk disk, int connections) throws IOException {
    ManagerStagingArea made =
        new ManagerStagingArea(
            folder.resolve("manager" + open.size()),
            List.of(InetAddress.getLoopbackAddress()),
            new ManagerStagingArea.Setup(0, connections, TIMEOUT, Duration.ofSeconds(5), 0),
            disk);
    open.add(made);
    return made;
  }

  protected NodeStagingClient client(Disk disk, long cache, Duration timeout) throws IOException {
    NodeStagingClient made =
        new NodeStagingClient(
            Files.createDirectories(folder.resolve("node")),
            new NodeStagingClient.Setup(cache, timeout, Duration.ofSeconds(1)),
            disk);
    open.add(made);
    return made;
  }

  protected Path file(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes);
  }

  protected static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  protected ContentId offer(Path file) throws IOException {
    ContentId content = Transfer.contentOf(file);
    area.offer(JOB, content, new Source(List.of(new Segment(file, 0, content.length()))));
    return content;
  }

  protected Path target() {
    targets++;
    return folder.resolve("target" + targets);
  }

  protected Fault fetchFault(InetSocketAddress from, ContentId content) {
    Path target = target();
    Fault fault =
        assertThrows(StagingException.class, () -> client.fetch(from, content, target)).fault();
    assertFalse(Files.exists(target));
    assertEquals(List.of(), list(folder.resolve("node/fetching")));
    return fault;
  }

  protected static List<Path> list(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  protected static byte[] read(Source source) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Segment segment : source.segments()) {
      byte[] all = Files.readAllBytes(segment.file());
      out.write(all, (int) segment.offset(), (int) segment.length());
    }
    return out.toByteArray();
  }

  protected void restartClient() throws IOException {
    client.close();
    Folders.delete(folder.resolve("node"));
    client = client(new Disk.Local(), 16 * MIB, TIMEOUT);
  }
}
