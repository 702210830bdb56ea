package dev.weft.launcher;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/** The one folder in which a process keeps everything; locked while it runs. */
final class DataDirectory {
  /** A Unix socket's path may have 107 bytes. */
  private static final int MAXIMUM_SOCKET_PATH = 100;

  private static final int MAXIMUM_ROLE = 64;
  private static final String SOCKET = "weft.sock";

  private final Path folder;

  @SuppressWarnings("unused") // held until the process ends
  private final FileLock lock;

  private DataDirectory(Path folder, FileLock lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /**
   * Makes and locks the folder.
   *
   * @param role whose folder it is; one that another has used before is refused, because both would
   *     be the same node
   */
  static DataDirectory open(Path folder, String role) throws LaunchException {
    try {
      Files.createDirectories(folder);
      for (String name : new String[] {"log", "deploy"}) {
        Files.createDirectories(folder.resolve(name));
      }
      FileChannel channel =
          FileChannel.open(
              folder.resolve("lock"),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw new LaunchException(
            LaunchException.ERROR,
            "another process uses the data directory "
                + folder
                + "; stop it, or give another one with --data");
      }
      claim(folder, channel, role);
      return new DataDirectory(folder, lock);
    } catch (IOException e) {
      throw new LaunchException(
          LaunchException.ERROR, "cannot use the data directory " + folder + ": " + e);
    }
  }

  private static void claim(Path folder, FileChannel channel, String role)
      throws IOException, LaunchException {
    ByteBuffer bytes = ByteBuffer.allocate(MAXIMUM_ROLE);
    channel.read(bytes, 0);
    String owner = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).strip();
    if (owner.isEmpty()) {
      channel.write(ByteBuffer.wrap((role + "\n").getBytes(StandardCharsets.UTF_8)), 0);
    } else if (!owner.equals(role)) {
      channel.close(); // gives the lock back
      throw new LaunchException(
          LaunchException.ERROR,
          "the data directory %s is that of a node with the role %s; give this %s another one with --data"
              .formatted(folder, owner, role));
    }
  }

  Path folder() {
    return folder;
  }

  /** A folder for sockets that only this user can enter, on a path short enough for one. */
  Path runFolder(Map<String, String> environment) throws LaunchException {
    Path own = folder.resolve("run");
    if (own.resolve(SOCKET).toString().getBytes(StandardCharsets.UTF_8).length
        <= MAXIMUM_SOCKET_PATH) {
      return privateFolder(own);
    }
    String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
    String name = "weft-" + digest(folder.toString());
    return privateFolder(
        runtime.isEmpty() || !Files.isDirectory(Path.of(runtime))
            ? Path.of("/tmp", name + "-" + environment.getOrDefault("USER", "user"))
            : Path.of(runtime, name));
  }

  private static Path privateFolder(Path path) throws LaunchException {
    var mode = PosixFilePermissions.fromString("rwx------");
    try {
      if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        Files.createDirectory(path, PosixFilePermissions.asFileAttribute(mode));
      }
      PosixFileAttributes attributes =
          Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      Object owner = Files.getOwner(Path.of("/proc/self"));
      if (!attributes.isDirectory()
          || !attributes.permissions().equals(mode)
          || !attributes.owner().equals(owner)) {
        throw new LaunchException(
            LaunchException.ERROR,
            path + " must be a folder of mode 0700 that belongs to you; remove it and start again");
      }
      return path;
    } catch (IOException e) {
      throw new LaunchException(LaunchException.ERROR, "cannot make the folder " + path + ": " + e);
    }
  }

  private static String digest(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 4);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
