package dev.weft.scheduler.split;

import dev.weft.api.ContentId;
import dev.weft.api.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * A file that is read once from its start to its end, in constant memory; notices when the file
 * changes meanwhile.
 */
final class TextFile implements AutoCloseable {
  /** Longest line, in bytes. */
  static final int MAXIMUM_LINE = 64 << 20;

  private static final int BUFFER = 1 << 20;

  private final Path file;
  private final State before;
  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER];
  private int from;
  private int end;
  private long position;
  private long lineStart;

  private record State(long size, FileTime modified, Optional<Object> key) {
    static State of(Path file) throws IOException {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      return new State(
          found.size(), found.lastModifiedTime(), Optional.ofNullable(found.fileKey()));
    }
  }

  /** Takes bytes as they come. */
  interface Sink {
    /** A piece of the file. The array is used again. */
    void take(byte[] bytes, int from, int length);
  }

  /** Opens a file. */
  TextFile(Path file) throws SplitException {
    this.file = file;
    try {
      this.before = State.of(file);
      this.in = Files.newInputStream(file);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /** Its length when it was opened. */
  long size() {
    return before.size();
  }

  /** How many bytes are read. */
  long position() {
    return position;
  }

  /**
   * Reads the first lines.
   *
   * @return how many bytes they have
   */
  long readLines(int lines, Sink sink) throws SplitException {
    if (lines == 0) {
      return 0;
    }
    CutPoints cut = CutPoints.everyLines(lines);
    readShard(cut, sink);
    return position;
  }

  /**
   * Reads to the next cut, or to the end of the file.
   *
   * @return how many bytes; 0 at the end of the file
   */
  long readShard(CutPoints cuts, Sink sink) throws SplitException {
    long start = position;
    while (from < end || fillWithLines()) {
      int cut = cuts.next(buffer, from, end);
      int stop = cut < 0 ? end : cut;
      sink.take(buffer, from, stop - from);
      position += stop - from;
      from = stop;
      if (cut >= 0) {
        break;
      }
    }
    return position - start;
  }

  private boolean fillWithLines() throws SplitException {
    boolean more = fill();
    checkLines();
    return more;
  }

  private boolean fill() throws SplitException {
    if (Thread.currentThread().isInterrupted()) {
      throw new SplitException(
          new Fault(
              "split.interrupted",
              Fault.Category.INTERNAL,
              "the manager stopped while it split the job; submit the job again",
              true));
    }
    try {
      int read = in.read(buffer);
      from = 0;
      end = Math.max(0, read);
      if (position + end > before.size()) {
        throw changed(file);
      }
      return read > 0;
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /** Only a line that no buffer holds whole can be too long: looks at the ends of the buffer. */
  private void checkLines() throws SplitException {
    int first = 0;
    while (first < end && buffer[first] != '\n') {
      first++;
    }
    if (position + first - lineStart > MAXIMUM_LINE) {
      throw SplitException.user(
          "input.line-too-long",
          file
              + " has a line longer than "
              + (MAXIMUM_LINE >> 20)
              + " MiB at byte "
              + lineStart
              + "; is it a text file?");
    }
    int last = end - 1;
    while (last > first && buffer[last] != '\n') {
      last--;
    }
    if (first < end) {
      lineStart = position + last + 1;
    }
  }

  /** Checks that the file is still the one that was opened, and read to its end. */
  void checkUnchanged() throws SplitException {
    try {
      if (position != before.size() || !State.of(file).equals(before)) {
        throw changed(file);
      }
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  @Override
  public void close() throws SplitException {
    try {
      in.close();
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /** What the whole file is; reads it. */
  static ContentId content(Path path) throws SplitException {
    try (TextFile file = new TextFile(path)) {
      MessageDigest digest = ContentId.digest();
      while (file.from < file.end || file.fill()) {
        digest.update(file.buffer, file.from, file.end - file.from);
        file.position += file.end - file.from;
        file.from = file.end;
      }
      file.checkUnchanged();
      return ContentId.of(digest, file.position);
    }
  }

  private static SplitException changed(Path file) {
    return new SplitException(
        new Fault(
            "input.changed",
            Fault.Category.USER,
            file + " changed while it was read; submit the job again when it is complete",
            false));
  }

  static SplitException unreadable(Path file, IOException e) {
    String reason = e instanceof NoSuchFileException ? "it is gone" : e.toString();
    return new SplitException(
        new Fault(
            "input.unreadable",
            Fault.Category.USER,
            file + " cannot be read: " + reason + "; put it right and submit the job again",
            false),
        e);
  }
}
