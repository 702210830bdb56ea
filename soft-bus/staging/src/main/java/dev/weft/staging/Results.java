package dev.weft.staging;

import dev.weft.api.AttemptId;
import dev.weft.api.ContentId;
import dev.weft.api.JobId;
import dev.weft.api.TaskId;
import dev.weft.core.staging.StagingArea.Segment;
import dev.weft.core.staging.StagingArea.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Results of tasks, by content, in one folder per job: delivered ones in a file each, small ones
 * one behind the other in a file of the job's own, because a file each would cost more than the
 * result. The index is in memory: results of a former life cannot be asked for and are deleted at
 * the start. Thread-safe.
 */
final class Results {
  private static final int MAXIMUM_OPEN = 32;
  private static final int MAXIMUM_FORGOTTEN = 10_000;
  private static final String SMALL = "small";

  private final Path folder;
  private final Map<JobId, JobResults> jobs = new HashMap<>();

  /** Files of small results that are open, the least used first. */
  private final Map<JobId, FileChannel> open = new LinkedHashMap<>(16, 0.75f, true);

  /** Jobs of which late results are refused, the oldest first. */
  private final Set<JobId> forgotten =
      Collections.newSetFromMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<JobId, Boolean> eldest) {
              return size() > MAXIMUM_FORGOTTEN;
            }
          });

  private record Key(int task, ContentId content) {}

  private static final class JobResults {
    private final Map<Key, Segment> index = new HashMap<>();
    private long end;
  }

  Results(Path folder) throws IOException {
    this.folder = Folders.fresh(folder);
  }

  /** Keeps a small result. */
  synchronized ContentId keep(TaskId task, byte[] result) throws IOException {
    ContentId content = Transfer.contentOf(result);
    JobResults job = job(task.job());
    Key key = new Key(task.index(), content);
    if (job.index.containsKey(key)) {
      return content;
    }
    FileChannel file = open(task.job());
    ByteBuffer buffer = ByteBuffer.wrap(result);
    while (buffer.hasRemaining()) {
      file.write(buffer, job.end + buffer.position());
    }
    Path path = folderOf(task.job()).resolve(SMALL);
    job.index.put(key, new Segment(path, job.end, result.length));
    job.end += result.length;
    return content;
  }

  /** Whether results of a job are still taken. */
  synchronized boolean takes(JobId job) {
    return !forgotten.contains(job);
  }

  /** Takes over a file with a delivered result that was checked. */
  synchronized void store(AttemptId attempt, ContentId content, Path received) throws IOException {
    JobResults job = job(attempt.task().job());
    Key key = new Key(attempt.task().index(), content);
    if (job.index.containsKey(key)) {
      Files.delete(received);
      return;
    }
    Path folderOfJob = Files.createDirectories(folderOf(attempt.task().job()));
    // With the content, because an attempt may deliver twice, and not the same.
    String name =
        attempt.task().index() + "." + attempt.number() + "." + content.sha256().substring(0, 16);
    Path file = folderOfJob.resolve(name);
    Files.move(received, file, StandardCopyOption.ATOMIC_MOVE);
    job.index.put(key, new Segment(file, 0, content.length()));
  }

  /** Where a result is. */
  Source find(TaskId task, ContentId content) throws IOException {
    Segment segment = segment(task, content);
    if (Files.size(segment.file()) < segment.offset() + segment.length()) {
      throw new IOException("the result of task " + task + " in " + segment.file() + " is damaged");
    }
    return new Source(List.of(segment));
  }

  private synchronized Segment segment(TaskId task, ContentId content) throws IOException {
    return Optional.ofNullable(jobs.get(task.job()))
        .map(job -> job.index.get(new Key(task.index(), content)))
        .orElseThrow(
            () -> new NoSuchFileException("there is no result " + content + " of task " + task));
  }

  /** Deletes the results of a job and takes no more of it. */
  void forget(JobId job) throws IOException {
    synchronized (this) {
      forgotten.add(job);
      jobs.remove(job);
      close(open.remove(job));
    }
    Folders.delete(folderOf(job));
  }

  /** Closes files; nothing can be kept afterwards without opening them again. */
  synchronized void close() throws IOException {
    for (FileChannel file : open.values()) {
      file.close();
    }
    open.clear();
  }

  private JobResults job(JobId id) throws IOException {
    if (forgotten.contains(id)) {
      throw new IOException("no results of job " + id + " are kept any more");
    }
    return jobs.computeIfAbsent(id, key -> new JobResults());
  }

  private FileChannel open(JobId job) throws IOException {
    FileChannel known = open.get(job);
    // An interrupted thread closes the file it writes to.
    if (known != null && known.isOpen()) {
      return known;
    }
    if (open.size() >= MAXIMUM_OPEN) {
      Iterator<FileChannel> eldest = open.values().iterator();
      eldest.next().close();
      eldest.remove();
    }
    Path path = Files.createDirectories(folderOf(job)).resolve(SMALL);
    FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    open.put(job, file);
    return file;
  }

  private static void close(FileChannel file) throws IOException {
    if (file != null) {
      file.close();
    }
  }

  private Path folderOf(JobId job) {
    return folder.resolve(job.hex());
  }
}
