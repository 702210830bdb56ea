package dev.weft.api;

import java.util.Objects;

/**
 * One piece of a job.
 *
 * @param job the job it belongs to
 * @param index its place in the job, from 0; a merge task follows the last shard
 */
public record TaskId(JobId job, int index) implements Comparable<TaskId> {
  /** Checks the index. */
  public TaskId {
    Objects.requireNonNull(job, "job");
    if (index < 0) {
      throw new IllegalArgumentException("task index must not be negative: " + index);
    }
  }

  @Override
  public int compareTo(TaskId other) {
    int byJob = job.compareTo(other.job);
    return byJob != 0 ? byJob : Integer.compare(index, other.index);
  }

  @Override
  public String toString() {
    return job + "/" + index;
  }
}
