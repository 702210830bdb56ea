package dev.weft.agent.run;

import dev.weft.api.AttemptId;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folders of all attempts, under {@code attempts/<job>/<task>.<attempt>}. Outputs of the last
 * attempts that are over are kept for a while; everything else is removed in the background.
 * Thread-safe.
 */
public final class AttemptFolders implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AttemptFolders.class);
  private static final int MAXIMUM_WAITING = 65_536;
  private static final String REMOVED = "removed-";

  private final Path home;
  private final Path attempts;
  private final WorkPool cleaner = new WorkPool("weft-agent-cleaner", 1, MAXIMUM_WAITING);
  private volatile Keep keep;

  // Only the cleaner's thread touches these.
  private final Deque<Kept> kept = new ArrayDeque<>();
  private long keptBytes;

  /**
   * How many outputs are kept.
   *
   * @param count of how many attempts
   * @param bytes of how many bytes together
   */
  public record Keep(int count, long bytes) {}

  private record Kept(AttemptFolder folder, long bytes) {}

  /**
   * Folders under a home of the agent's own.
   *
   * @param home made if it does not exist
   */
  public AttemptFolders(Path home, Keep keep) {
    this.home = Objects.requireNonNull(home, "home");
    this.attempts = home.resolve("attempts");
    this.keep = Objects.requireNonNull(keep, "keep");
  }

  /** Changes how many outputs are kept; older ones go when the next attempt is over. */
  public void keep(Keep next) {
    keep = Objects.requireNonNull(next, "next");
  }

  /**
   * Puts everything of a former life out of the way and removes it in the background.
   *
   * @throws IOException if the folder cannot be used
   */
  public void clear() throws IOException {
    Files.createDirectories(home);
    if (Files.exists(attempts)) {
      Files.move(attempts, home.resolve(REMOVED + System.nanoTime()));
    }
    Files.createDirectory(
        attempts,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    cleaner.execute(new Cleaning(home, this::removeOld));
  }

  AttemptFolder of(AttemptId attempt) {
    return new AttemptFolder(
        attempts
            .resolve(attempt.task().job().hex())
            .resolve(attempt.task().index() + "." + attempt.number()));
  }

  /** An attempt is over and answered for: keeps its outputs for a while and removes the rest. */
  public void retire(AttemptId attempt) {
    AttemptFolder folder = of(attempt);
    cleaner.execute(new Cleaning(folder.root(), () -> retire(folder)));
  }

  private void retire(AttemptFolder folder) throws IOException {
    if (Files.exists(folder.root())) { // not every attempt has one
      long bytes = size(folder.output()) + size(folder.errors());
      kept.add(new Kept(folder, bytes));
      keptBytes += bytes;
    }
    Keep now = keep;
    while (kept.size() > now.count() || (keptBytes > now.bytes() && !kept.isEmpty())) {
      Kept oldest = kept.remove();
      keptBytes -= oldest.bytes();
      removeKept(oldest.folder());
    }
    Trees.remove(folder.work());
  }

  private static void removeKept(AttemptFolder folder) throws IOException {
    Files.deleteIfExists(folder.output());
    Files.deleteIfExists(folder.errors());
    try {
      Files.deleteIfExists(folder.root());
    } catch (DirectoryNotEmptyException e) {
      Trees.remove(folder.root());
    }
    try {
      Files.deleteIfExists(folder.root().getParent());
    } catch (DirectoryNotEmptyException e) {
      LOG.trace("{} has more attempts", folder.root().getParent());
    }
  }

  private static long size(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  private void removeOld() throws IOException {
    try (DirectoryStream<Path> old = Files.newDirectoryStream(home, REMOVED + "*")) {
      for (Path folder : old) {
        try {
          Trees.remove(folder);
        } catch (IOException e) {
          LOG.warn("Cannot remove {}: {}; the next start tries again", folder, e.toString());
        }
      }
    }
  }

  /** Drops what waits; the next start removes it. */
  @Override
  public void close() {
    cleaner.shutdownNow();
  }

  private interface Removal {
    void run() throws IOException;
  }

  /** One removal; what cannot be removed is logged and left to the next start. */
  private record Cleaning(Path what, Removal removal) implements WorkPool.Work {
    @Override
    public void run() {
      try {
        removal.run();
      } catch (IOException e) {
        LOG.warn("Cannot remove {}: {}; the next start tries again", what, e.toString());
      }
    }

    @Override
    public void failed(Throwable reason) {
      LOG.warn("Cannot remove {}; the next start tries again", what, reason);
    }
  }
}
