package dev.weft.api.job;

import dev.weft.api.Demand;
import dev.weft.api.JobId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A job as its user described it, checked.
 *
 * @param name for people, 1 to 100 characters
 * @param command what every task runs
 * @param files absolute paths of more files that every attempt finds in its folder, at most 64
 * @param input what is split
 * @param demand what each task takes of a node
 * @param timeLimit longest run of an attempt
 * @param retry how often and when a task that failed is tried again
 * @param merge how results are combined
 * @param output absolute path the merged result is written to; empty to keep it with the job
 * @param priority 1 to 100; higher goes first
 * @param parallel most tasks of it that are placed or run at a time; empty for no limit
 * @param gang whether its tasks are placed all or none
 * @param needs jobs that must be completed before it starts, at most {@link #MAXIMUM_NEEDS}
 */
public record JobSpec(
    String name,
    Command command,
    List<Path> files,
    Input input,
    Demand demand,
    Duration timeLimit,
    RetryRules retry,
    Merge merge,
    Optional<Path> output,
    int priority,
    OptionalInt parallel,
    boolean gang,
    List<JobId> needs) {
  /** Longest name. */
  public static final int MAXIMUM_NAME = 100;

  /** Most extra files. */
  public static final int MAXIMUM_FILES = 64;

  /** Most jobs that one job may need. */
  public static final int MAXIMUM_NEEDS = 64;

  /** Most tasks that can be placed all or none. */
  public static final int MAXIMUM_GANG = 512;

  /** Most tasks of one job. */
  public static final int MAXIMUM_TASKS = 1_000_000;

  /** Priority of a job that names none. */
  public static final int DEFAULT_PRIORITY = 50;

  /** Copies and checks. */
  public JobSpec {
    Objects.requireNonNull(command, "command");
    Objects.requireNonNull(input, "input");
    Objects.requireNonNull(demand, "demand");
    Objects.requireNonNull(merge, "merge");
    files = List.copyOf(files);
    if (name.isEmpty() || name.length() > MAXIMUM_NAME) {
      throw new IllegalArgumentException("name must have 1 to " + MAXIMUM_NAME + " characters");
    }
    if (files.size() > MAXIMUM_FILES || !files.stream().allMatch(Path::isAbsolute)) {
      throw new IllegalArgumentException(
          "at most " + MAXIMUM_FILES + " files, each by absolute path");
    }
    if (timeLimit.isNegative() || timeLimit.isZero()) {
      throw new IllegalArgumentException("time limit must be positive: " + timeLimit);
    }
    Objects.requireNonNull(retry, "retry");
    needs = List.copyOf(needs);
    if (needs.size() > MAXIMUM_NEEDS) {
      throw new IllegalArgumentException("at most " + MAXIMUM_NEEDS + " jobs are needed");
    }
    if (parallel.isPresent() && (parallel.getAsInt() < 1 || gang)) {
      throw new IllegalArgumentException(
          "parallel must be at least 1, and a gang cannot be limited: " + parallel.getAsInt());
    }
    if (output.isPresent() && !output.get().isAbsolute()) {
      throw new IllegalArgumentException("output must be absolute: " + output.get());
    }
    if (priority < 1 || priority > 100) {
      throw new IllegalArgumentException("priority must be 1 to 100: " + priority);
    }
  }
}
