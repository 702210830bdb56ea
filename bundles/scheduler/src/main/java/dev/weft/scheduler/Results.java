package dev.weft.scheduler;

import dev.weft.api.Bytes;
import dev.weft.api.ContentId;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.TaskId;
import dev.weft.core.message.Message;
import dev.weft.core.staging.StagingArea;
import dev.weft.core.staging.StagingArea.Segment;
import dev.weft.core.staging.StagingArea.Source;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Puts results of tasks together and writes results of jobs. Blocks; thread-safe. */
final class Results {
  private static final int BUFFER = 1 << 16;

  private final Path folder;
  private final StagingArea staging;

  Results(Path folder, StagingArea staging) {
    this.folder = folder;
    this.staging = staging;
  }

  /** Where the merged result of a job is kept. */
  Path of(JobId job) {
    return folder.resolve(job.hex());
  }

  /** Offers the results, one after the other, as one content; nothing is copied. */
  ContentId offer(JobId job, List<SchedulerEffect.Piece> results) throws IOException {
    Source source = join(results);
    MessageDigest digest = ContentId.digest();
    long length;
    try (OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
      length = copy(source, out);
    }
    ContentId content = ContentId.of(digest, length);
    staging.offer(job, content, source);
    return content;
  }

  private Source join(List<SchedulerEffect.Piece> results) throws IOException {
    List<Segment> segments = new ArrayList<>();
    for (SchedulerEffect.Piece piece : results) {
      segments.addAll(staging.result(piece.task(), piece.content()).segments());
    }
    return new Source(segments);
  }

  /**
   * Writes the results, one after the other, as the result of the job, and to where its user wants
   * it; there the old file stays until the new one is whole.
   *
   * @return what went wrong with the user's file; empty if nothing
   * @throws IOException if the results cannot be read or kept
   */
  Optional<Fault> deliver(JobId job, List<SchedulerEffect.Piece> results, Optional<Path> output)
      throws IOException {
    Files.createDirectories(folder);
    Path kept = of(job);
    Path unfinished = kept.resolveSibling(kept.getFileName() + ".new");
    try {
      try (FileChannel channel = create(unfinished)) {
        copy(join(results), Channels.newOutputStream(channel));
      }
      Files.move(unfinished, kept, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(unfinished);
    }
    if (output.isEmpty()) {
      return Optional.empty();
    }
    try {
      replace(kept, output.get());
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(
          new Fault(
              "output.not-written",
              Fault.Category.EXTERNAL,
              "the result could not be written to %s (%s); get it with: weft job output %s"
                  .formatted(output.get(), e, job.shortForm()),
              false));
    }
  }

  private static void replace(Path from, Path target) throws IOException {
    if (target.getFileName() == null) { // nor could a file lie beside it
      throw new FileSystemException(target.toString(), null, "is the root folder");
    }
    Path temporary = target.resolveSibling("." + target.getFileName() + ".weft-new");
    try {
      try (FileChannel in = FileChannel.open(from, StandardOpenOption.READ);
          FileChannel out = create(temporary)) {
        transfer(in, 0, in.size(), Channels.newOutputStream(out));
        out.force(true);
      }
      Files.move(
          temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static FileChannel create(Path file) throws IOException {
    return FileChannel.open(
        file,
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.WRITE);
  }

  /** A piece of one task's result, as long as fits a chunk of a log; empty at its end. */
  Bytes read(TaskId task, ContentId content, long offset) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    long skip = offset;
    for (Segment segment : staging.result(task, content).segments()) {
      long left = Math.min(segment.length() - skip, Message.LogChunk.MAXIMUM_BYTES - out.size());
      if (left > 0) {
        try (FileChannel channel = FileChannel.open(segment.file(), StandardOpenOption.READ)) {
          transfer(channel, segment.offset() + skip, left, out);
        }
      }
      skip = Math.max(0, skip - segment.length());
    }
    return Bytes.of(out.toByteArray());
  }

  private static long copy(Source source, OutputStream out) throws IOException {
    long length = 0;
    Path open = null;
    FileChannel channel = null;
    try {
      for (Segment segment : source.segments()) { // many small results share a file
        if (!segment.file().equals(open)) {
          if (channel != null) {
            channel.close();
          }
          channel = FileChannel.open(segment.file(), StandardOpenOption.READ);
          open = segment.file();
        }
        transfer(channel, segment.offset(), segment.length(), out);
        length += segment.length();
      }
    } finally {
      if (channel != null) {
        channel.close();
      }
    }
    return length;
  }

  private static void transfer(FileChannel from, long offset, long length, OutputStream out)
      throws IOException {
    InputStream in = Channels.newInputStream(from.position(offset));
    byte[] buffer = new byte[(int) Math.min(BUFFER, Math.max(1, length))];
    long left = length;
    while (left > 0) {
      int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        throw new IOException("a stored result is shorter than it was");
      }
      out.write(buffer, 0, read);
      left -= read;
    }
  }

  void forget(JobId job) throws IOException {
    Files.deleteIfExists(of(job));
  }

  /** Keeps only the newest results of a former life of the manager, which nobody else deletes. */
  void trim(int most) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    List<Path> newestFirst = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      files.forEach(newestFirst::add);
    }
    Map<Path, FileTime> times = new HashMap<>();
    for (Path file : newestFirst) {
      times.put(file, Files.getLastModifiedTime(file));
    }
    newestFirst.sort(Comparator.comparing(times::get).reversed());
    for (Path file : newestFirst.subList(Math.min(most, newestFirst.size()), newestFirst.size())) {
      Files.deleteIfExists(file);
    }
  }
}
