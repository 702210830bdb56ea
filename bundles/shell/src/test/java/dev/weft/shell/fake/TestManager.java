package dev.weft.shell.fake;

import dev.weft.shell.server.ConsoleHost;
import dev.weft.shell.server.SocketServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A manager's socket over fake services, in a folder of its own with a short path. */
public final class TestManager implements AutoCloseable {
  private final Path folder;
  private final FakeServices services = new FakeServices();
  private final SocketServer server;

  public TestManager(ConsoleHost consoles) throws IOException {
    folder = Files.createTempDirectory("weft");
    server = SocketServer.start(runFolder(folder), data(), services, consoles, Clock.systemUTC());
  }

  /** A folder for sockets, as the launcher makes it. */
  public static Path runFolder(Path parent) throws IOException {
    return Files.createDirectories(
        parent.resolve("run"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  public Path data() {
    return folder.resolve("data");
  }

  public Path socket() {
    return folder.resolve("run").resolve("weft.sock");
  }

  public FakeJobs jobs() {
    return services.jobs();
  }

  public FakeServices services() {
    return services;
  }

  public SocketServer server() {
    return server;
  }

  @Override
  public void close() throws IOException {
    server.close();
    List<Path> all;
    try (Stream<Path> files = Files.walk(folder)) {
      all = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : all) {
      Files.deleteIfExists(file);
    }
  }
}
