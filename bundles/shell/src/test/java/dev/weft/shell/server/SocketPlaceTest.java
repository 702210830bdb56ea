package dev.weft.shell.server;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.shell.fake.FakeConsole;
import dev.weft.shell.fake.FakeServices;
import dev.weft.shell.fake.TestManager;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The socket's folder, and sockets that were left behind. */
class SocketPlaceTest {
  @TempDir private Path folder;

  private SocketServer start(Path run) throws IOException {
    return SocketServer.start(
        run, folder.resolve("data"), new FakeServices(), new FakeConsole(), Clock.systemUTC());
  }

  @Test
  void writesTheSocketsPathAndRemovesBothAtTheEnd() throws IOException {
    Path run = TestManager.runFolder(folder);
    try (SocketServer server = start(run)) {
      assertEquals(0, server.sessions());
      assertEquals(
          run.resolve("weft.sock") + "\n", Files.readString(folder.resolve("data/socket")));
      assertEquals(
          "rw-------",
          PosixFilePermissions.toString(Files.getPosixFilePermissions(run.resolve("weft.sock"))));
    }
    assertFalse(Files.exists(run.resolve("weft.sock")));
    assertFalse(Files.exists(folder.resolve("data/socket")));
  }

  @Test
  void refusesAFolderThatOthersMayEnter() throws IOException {
    Path run = TestManager.runFolder(folder);
    Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwxr-x---"));
    IOException e = assertThrows(IOException.class, () -> start(run));
    assertEquals(
        "others could enter the folder for the socket: it has rwxr-x---, set it to rwx------: "
            + run,
        e.getMessage());
    assertFalse(Files.exists(folder.resolve("data/socket")));
  }

  @Test
  void refusesAMissingFolderAndALink() throws IOException {
    Path run = TestManager.runFolder(folder);
    Path link = Files.createSymbolicLink(folder.resolve("link"), run);
    assertThrows(IOException.class, () -> start(link));
    assertThrows(IOException.class, () -> start(folder.resolve("none")));
  }

  @Test
  void replacesASocketThatNobodyListensOn() throws IOException {
    Path run = TestManager.runFolder(folder);
    try (ServerSocketChannel old = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      old.bind(UnixDomainSocketAddress.of(run.resolve("weft.sock")));
    }
    assertTrue(Files.exists(run.resolve("weft.sock")));
    try (SocketServer server = start(run)) {
      assertEquals(0, server.sessions());
    }
  }

  @Test
  void leavesASocketAloneThatAnotherManagerListensOn() throws IOException {
    Path run = TestManager.runFolder(folder);
    try (SocketServer first = start(run)) {
      IOException e = assertThrows(IOException.class, () -> start(run));
      assertEquals(
          "another manager listens on " + run.resolve("weft.sock") + ": stop it first",
          e.getMessage());
      // The second has knocked at the door to see whether anybody is there.
      await().atMost(Duration.ofSeconds(20)).until(() -> first.sessions() == 0);
      assertTrue(Files.exists(folder.resolve("data/socket")));
    }
  }
}
