package dev.weft.scheduler.split;

import dev.weft.api.ContentId;
import dev.weft.api.JobId;
import dev.weft.api.job.Input;
import dev.weft.api.job.Shard;
import dev.weft.core.message.Message;
import dev.weft.core.staging.StagingArea;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/** Cuts files and offers the pieces to the nodes. */
final class FileSplitter {
  private final StagingArea staging;
  private final int maximumTasks;

  FileSplitter(StagingArea staging, int maximumTasks) {
    this.staging = staging;
    this.maximumTasks = maximumTasks;
  }

  /** Chooses where to cut, once it is known how long the text is. */
  interface Cutter {
    /**
     * Chooses.
     *
     * @param bytes length of the text without its header, at least 1
     */
    CutPoints cuts(long bytes) throws SplitException;
  }

  /** Cuts a text; each shard starts with the header. */
  List<Shard> text(JobId job, Path path, int header, Cutter cutter) throws SplitException {
    List<Shard> shards = new ArrayList<>();
    try (TextFile file = new TextFile(path)) {
      MessageDigest start = ContentId.digest();
      long headerLength = file.readLines(header, start::update);
      if (file.size() <= headerLength) {
        throw SplitException.user(
            "input.empty",
            path
                + (header == 0 ? " is empty" : " has nothing below its header")
                + "; there is nothing to do");
      }
      StagingArea.Segment headerSegment = new StagingArea.Segment(path, 0, headerLength);
      CutPoints cuts = cutter.cuts(file.size() - headerLength);
      String name = path.getFileName().toString();
      while (true) {
        long offset = file.position();
        MessageDigest digest = copy(start);
        long length = file.readShard(cuts, digest::update);
        if (length == 0) {
          break;
        }
        if (shards.size() == maximumTasks) {
          throw tooMany(path);
        }
        StagingArea.Segment body = new StagingArea.Segment(path, offset, length);
        ContentId content = ContentId.of(digest, headerLength + length);
        staging.offer(
            job,
            content,
            new StagingArea.Source(
                headerLength == 0 ? List.of(body) : List.of(headerSegment, body)));
        shards.add(new Shard.Content(content, name));
      }
      file.checkUnchanged();
    }
    return shards;
  }

  /** Each file of a folder is a shard. */
  List<Shard> files(JobId job, Input.Files input, List<Path> extra) throws SplitException {
    List<Path> files = list(input);
    if (files.isEmpty()) {
      throw SplitException.user(
          "input.empty",
          "folder "
              + input.folder()
              + " has no file like "
              + input.pattern()
              + "; there is nothing to do");
    }
    List<Shard> shards = new ArrayList<>();
    for (Path file : files) {
      String name = file.getFileName().toString();
      if (extra.stream().anyMatch(other -> name.equals(other.getFileName().toString()))) {
        throw SplitException.user(
            "input.name", "the input and 'files' both have a file named " + name + "; rename one");
      }
      shards.add(new Shard.Content(offerWhole(job, file), name));
    }
    return shards;
  }

  /** Offers the files that every attempt gets. */
  List<Message.StagedFile> extraFiles(JobId job, List<Path> files) throws SplitException {
    List<Message.StagedFile> staged = new ArrayList<>();
    for (Path file : files) {
      staged.add(
          new Message.StagedFile(
              file.getFileName().toString(), offerWhole(job, file), Files.isExecutable(file)));
    }
    return staged;
  }

  private ContentId offerWhole(JobId job, Path file) throws SplitException {
    ContentId content = TextFile.content(file);
    staging.offer(
        job,
        content,
        new StagingArea.Source(List.of(new StagingArea.Segment(file, 0, content.length()))));
    return content;
  }

  private List<Path> list(Input.Files input) throws SplitException {
    PathMatcher pattern = FileSystems.getDefault().getPathMatcher("glob:" + input.pattern());
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(input.folder())) {
      for (Path entry : entries) {
        if (!pattern.matches(entry.getFileName()) || !Files.isRegularFile(entry)) {
          continue;
        }
        if (files.size() == maximumTasks) {
          throw tooMany(input.folder());
        }
        files.add(entry);
      }
    } catch (DirectoryIteratorException e) {
      throw TextFile.unreadable(input.folder(), e.getCause());
    } catch (IOException e) {
      throw TextFile.unreadable(input.folder(), e);
    }
    files.sort(null);
    return files;
  }

  private SplitException tooMany(Path input) {
    return SplitException.user(
        "input.too-many-shards",
        input + " would become more than " + maximumTasks + " tasks; make the shards larger");
  }

  private static MessageDigest copy(MessageDigest digest) {
    try {
      return (MessageDigest) digest.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the digest of the Java platform can be copied", e);
    }
  }
}
