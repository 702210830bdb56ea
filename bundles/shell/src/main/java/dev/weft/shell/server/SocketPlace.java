package dev.weft.shell.server;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Where the socket is: in a folder that nobody else can enter, its path written into the data
 * folder for clients to find.
 *
 * @param socket the socket
 * @param pointer file with the path of the socket
 */
record SocketPlace(Path socket, Path pointer) {
  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rwx------");

  /**
   * Checks the folder and removes the socket of a manager that is gone.
   *
   * @param runFolder folder of the socket
   * @param dataFolder folder of the pointer
   * @throws IOException if somebody else could open the socket or another manager listens on it
   */
  static SocketPlace prepare(Path runFolder, Path dataFolder) throws IOException {
    SocketPlace place =
        new SocketPlace(runFolder.resolve("weft.sock"), dataFolder.resolve("socket"));
    Files.createDirectories(dataFolder);
    Path own = Files.createTempFile(dataFolder, "socket", ".new");
    try {
      check(runFolder, own);
      place.removeStale();
      Files.writeString(own, place.socket() + "\n");
      move(own, place.pointer());
    } finally {
      Files.deleteIfExists(own);
    }
    return place;
  }

  private static void check(Path folder, Path own) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("the folder for the socket is missing: " + folder);
    }
    Object owner = Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    Object self = Files.getAttribute(own, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    if (!owner.equals(self)) {
      throw new IOException(
          "the folder for the socket belongs to user "
              + owner
              + ", not to "
              + self
              + " who runs this: "
              + folder);
    }
    Set<PosixFilePermission> permissions =
        Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS);
    if (!permissions.equals(PRIVATE)) {
      throw new IOException(
          "others could enter the folder for the socket: it has "
              + PosixFilePermissions.toString(permissions)
              + ", set it to "
              + PosixFilePermissions.toString(PRIVATE)
              + ": "
              + folder);
    }
  }

  private void removeStale() throws IOException {
    if (!Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
    } catch (IOException e) {
      // Nobody answers: it was left by a manager that is gone.
      Files.deleteIfExists(socket);
      return;
    }
    throw new IOException("another manager listens on " + socket + ": stop it first");
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Removes both files. */
  void remove() throws IOException {
    Files.deleteIfExists(pointer);
    Files.deleteIfExists(socket);
  }
}
