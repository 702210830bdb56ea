package dev.weft.staging;

import dev.weft.api.ContentId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Contents on this node, one file each, named by their hash; the least used go first when there is
 * no more room. Survives restarts: what a former life left is checked before its first use. A
 * cached file and the files that tasks get are one file with several names, so a file that was
 * written to counts as damaged and is brought again. Thread-safe.
 */
final class ContentCache {
  private static final Logger LOG = LoggerFactory.getLogger(ContentCache.class);
  private static final int MAXIMUM_ENTRIES = 16_384;
  private static final Pattern NAME = Pattern.compile("[0-9a-f]{64}");

  private final Path folder;
  private long limit;

  /** The least used first. */
  private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

  private long used;
  private long reserved;

  private record Entry(long length, FileTime written, boolean checked) {
    static Entry of(Path file, boolean checked) throws IOException {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      return new Entry(found.size(), found.lastModifiedTime(), checked);
    }
  }

  /**
   * A cache in a folder, with what is there already.
   *
   * @param limit most bytes
   */
  ContentCache(Path folder, long limit) throws IOException {
    this.folder = Files.createDirectories(folder);
    this.limit = limit;
    Map<String, Entry> found = new LinkedHashMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (NAME.matcher(name).matches() && Files.isRegularFile(file)) {
          found.put(name, Entry.of(file, false));
        }
      }
    }
    List<Map.Entry<String, Entry>> oldestFirst = new ArrayList<>(found.entrySet());
    oldestFirst.sort(Comparator.comparing(entry -> entry.getValue().written()));
    for (Map.Entry<String, Entry> entry : oldestFirst) {
      entries.put(entry.getKey(), entry.getValue());
      used += entry.getValue().length();
    }
    makeRoom(0);
  }

  /**
   * Makes a file with the content, if it is here. It is a copy: a link would let one task change
   * what others read, whatever the permissions are, because they all run as the same user.
   *
   * @return whether it is
   * @throws IOException if the target cannot be made
   */
  boolean copy(ContentId content, Path target) throws IOException {
    InputStream from;
    synchronized (this) {
      Entry entry = entries.get(content.sha256());
      if (entry == null || !entry.checked() || !isSound(content, entry)) {
        return false;
      }
      from = Files.newInputStream(file(content));
    }
    try (from) {
      Files.copy(from, target);
    }
    makeReadOnly(target);
    return true;
  }

  /** Checks what a former life left of a content; afterwards it can be copied, or it is gone. */
  void checkLeftOver(ContentId content) throws IOException {
    synchronized (this) {
      Entry entry = entries.get(content.sha256());
      if (entry == null || entry.checked() || !isSound(content, entry)) {
        return;
      }
    }
    boolean right;
    try {
      right = Transfer.contentOf(file(content)).equals(content);
    } catch (IOException e) {
      right = false;
    }
    synchronized (this) {
      Entry entry = entries.get(content.sha256());
      if (entry != null && !entry.checked()) {
        if (right) {
          entries.put(content.sha256(), new Entry(entry.length(), entry.written(), true));
        } else {
          remove(content.sha256(), entry);
        }
      }
    }
  }

  /**
   * Makes room for a content.
   *
   * @return whether there is room; then {@link #add} or {@link #cancel} must follow
   */
  synchronized boolean reserve(ContentId content) throws IOException {
    if (!makeRoom(content.length())) {
      return false;
    }
    reserved += content.length();
    return true;
  }

  /** Gives back a reservation. */
  synchronized void cancel(ContentId content) {
    reserved -= content.length();
  }

  /** Takes over a file with a content that was checked, and for which there is a reservation. */
  synchronized void add(ContentId content, Path received) throws IOException {
    makeReadOnly(received);
    Entry entry = Entry.of(received, true);
    Files.move(received, file(content), StandardCopyOption.ATOMIC_MOVE);
    Entry replaced = entries.put(content.sha256(), entry);
    used += entry.length() - (replaced == null ? 0 : replaced.length());
    reserved -= content.length();
  }

  /** Another limit, kept from the next content on. */
  synchronized void setLimit(long bytes) {
    limit = bytes;
  }

  /** Bytes in the cache. */
  synchronized long used() {
    return used;
  }

  static void makeReadOnly(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
  }

  private boolean isSound(ContentId content, Entry entry) throws IOException {
    Path file = file(content);
    try {
      Entry now = Entry.of(file, entry.checked());
      if (now.equals(entry) && now.length() == content.length()) {
        return true;
      }
      LOG.warn("{} in the cache was changed by someone; it is brought again", file);
    } catch (NoSuchFileException e) {
      LOG.warn("{} in the cache was deleted by someone; it is brought again", file);
    }
    remove(content.sha256(), entry);
    return false;
  }

  private boolean makeRoom(long length) throws IOException {
    if (length > limit - reserved) {
      return false;
    }
    Iterator<Map.Entry<String, Entry>> eldest = entries.entrySet().iterator();
    while ((used + reserved + length > limit || entries.size() >= MAXIMUM_ENTRIES)
        && eldest.hasNext()) {
      Map.Entry<String, Entry> entry = eldest.next();
      eldest.remove();
      used -= entry.getValue().length();
      Files.deleteIfExists(folder.resolve(entry.getKey()));
    }
    return used + reserved + length <= limit;
  }

  private void remove(String name, Entry entry) throws IOException {
    entries.remove(name);
    used -= entry.length();
    Files.deleteIfExists(folder.resolve(name));
  }

  private Path file(ContentId content) {
    return folder.resolve(content.sha256());
  }
}
