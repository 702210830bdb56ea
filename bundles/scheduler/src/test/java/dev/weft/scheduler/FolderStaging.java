package dev.weft.scheduler;

import dev.weft.api.ContentId;
import dev.weft.api.JobId;
import dev.weft.api.TaskId;
import dev.weft.core.staging.StagingArea;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A staging area over a folder: each result is a file, cut into two segments where it can be. */
final class FolderStaging implements StagingArea {
  final Map<ContentId, Source> offers = new ConcurrentHashMap<>();
  final List<JobId> forgotten = new CopyOnWriteArrayList<>();
  volatile boolean full;
  private final Path folder;

  FolderStaging(Path folder) {
    this.folder = folder;
  }

  @Override
  public int port() {
    return 4711;
  }

  @Override
  public void offer(JobId job, ContentId content, Source source) {
    offers.put(content, source);
  }

  @Override
  public ContentId keep(TaskId task, byte[] result) throws IOException {
    if (full) {
      throw new IOException("no space left on device");
    }
    Files.write(file(task), result);
    return contentOf(result);
  }

  @Override
  public Source result(TaskId task, ContentId content) throws IOException {
    Path file = file(task);
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    long half = content.length() / 2;
    List<Segment> segments = new ArrayList<>();
    segments.add(new Segment(file, 0, half));
    segments.add(new Segment(file, half, content.length() - half));
    return new Source(segments);
  }

  @Override
  public void forget(JobId job) {
    forgotten.add(job);
  }

  private Path file(TaskId task) {
    return folder.resolve(task.job().hex() + "-" + task.index());
  }

  static ContentId contentOf(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return new ContentId(HexFormat.of().formatHex(digest), bytes.length);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
