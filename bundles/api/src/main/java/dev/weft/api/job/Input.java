package dev.weft.api.job;

import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What a job works on, and how it may be cut. Closed: a new kind raises the major version. */
public sealed interface Input {
  /** How many shards the user wants; empty to let the split policy decide. */
  OptionalInt shards();

  /**
   * A text file cut between lines.
   *
   * @param file absolute
   * @param header number of leading lines that every shard starts with
   * @param linesPerShard lines in each shard; empty to cut into shards of about equal size
   * @param shards number of shards wanted; excludes {@code linesPerShard}
   */
  record Lines(Path file, int header, OptionalLong linesPerShard, OptionalInt shards)
      implements Input {
    /** Checks. */
    public Lines {
      requireAbsolute(file);
      if (header < 0) {
        throw new IllegalArgumentException("header must not be negative: " + header);
      }
      if (linesPerShard.isPresent() && shards.isPresent()) {
        throw new IllegalArgumentException("give lines per shard or shards, not both");
      }
      requirePositive(linesPerShard.orElse(1), "lines per shard");
      requirePositive(shards.orElse(1), "shards");
    }
  }

  /**
   * A text file cut into pieces of a given size, each moved to the next end of a line.
   *
   * @param file absolute
   * @param bytesPerShard size aimed at
   */
  record Bytes(Path file, long bytesPerShard) implements Input {
    /** Checks. */
    public Bytes {
      requireAbsolute(file);
      requirePositive(bytesPerShard, "bytes per shard");
    }

    @Override
    public OptionalInt shards() {
      return OptionalInt.empty();
    }
  }

  /**
   * Each regular file of a folder is one shard, in order of name; sub-folders are not entered.
   *
   * @param folder absolute
   * @param pattern glob that the file name must match, such as {@code *.csv}
   */
  record Files(Path folder, String pattern) implements Input {
    /** Checks. */
    public Files {
      requireAbsolute(folder);
      Objects.requireNonNull(pattern, "pattern");
    }

    @Override
    public OptionalInt shards() {
      return OptionalInt.empty();
    }
  }

  /**
   * Whole numbers, without any data.
   *
   * @param from first
   * @param to last, included
   * @param step distance, at least 1
   * @param shards number of shards wanted
   */
  record Range(long from, long to, long step, OptionalInt shards) implements Input {
    /** Checks. */
    public Range {
      requirePositive(step, "step");
      if (to < from) {
        throw new IllegalArgumentException("range ends at " + to + ", before its start " + from);
      }
      requirePositive(shards.orElse(1), "shards");
    }

    /** How many numbers there are. */
    public long size() {
      return Math.addExact(Math.subtractExact(to, from) / step, 1);
    }
  }

  /**
   * The same command a number of times; the shards differ by their index only.
   *
   * @param count how many
   */
  record Count(int count) implements Input {
    /** Checks. */
    public Count {
      requirePositive(count, "count");
    }

    @Override
    public OptionalInt shards() {
      return OptionalInt.of(count);
    }
  }

  private static void requireAbsolute(Path path) {
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException("path must be absolute: " + path);
    }
  }

  private static void requirePositive(long value, String what) {
    if (value < 1) {
      throw new IllegalArgumentException(what + " must be at least 1: " + value);
    }
  }
}
