package dev.weft.core.staging;

import dev.weft.api.ContentId;
import dev.weft.api.JobId;
import dev.weft.api.TaskId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The manager's side of staging: offers inputs and takes results, over a TCP stream. A service;
 * thread-safe.
 */
@ProviderType
public interface StagingArea {
  /** Port it listens on. */
  int port();

  /**
   * Offers bytes to nodes until the job is {@link #forget forgotten}. Nothing is copied: the bytes
   * are read when asked for, and checked by the node.
   *
   * @param job for which job
   * @param content what they are
   * @param source where they are
   */
  void offer(JobId job, ContentId content, Source source);

  /**
   * Keeps a result that came inside a message, like one that a node delivered. Blocks for the
   * write.
   */
  ContentId keep(TaskId task, byte[] result) throws IOException;

  /**
   * Where a result is. Many small results share a file.
   *
   * @return readable until the job is {@link #forget forgotten}
   * @throws IOException if it is not there or is not what {@code content} says
   */
  Source result(TaskId task, ContentId content) throws IOException;

  /** Withdraws offers and deletes results of a job. */
  void forget(JobId job);

  /**
   * Bytes put together from pieces of files.
   *
   * @param segments at least one, in order
   */
  record Source(List<Segment> segments) {
    /** Copies and checks. */
    public Source {
      segments = List.copyOf(segments);
      if (segments.isEmpty()) {
        throw new IllegalArgumentException("a source needs a segment");
      }
    }
  }

  /**
   * A piece of a file.
   *
   * @param file which file
   * @param offset first byte
   * @param length in bytes
   */
  record Segment(Path file, long offset, long length) {
    /** Checks. */
    public Segment {
      Objects.requireNonNull(file, "file");
      if (offset < 0 || length < 0) {
        throw new IllegalArgumentException("negative offset or length: " + offset + ", " + length);
      }
    }
  }
}
