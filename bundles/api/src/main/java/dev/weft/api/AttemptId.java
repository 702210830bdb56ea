package dev.weft.api;

import java.util.Objects;

/**
 * One try of a task. Numbers rise by one with each try; only the highest is current.
 *
 * @param task the task
 * @param number from 1
 */
public record AttemptId(TaskId task, int number) implements Comparable<AttemptId> {
  /** Checks the number. */
  public AttemptId {
    Objects.requireNonNull(task, "task");
    if (number < 1) {
      throw new IllegalArgumentException("attempt number must be at least 1: " + number);
    }
  }

  @Override
  public int compareTo(AttemptId other) {
    int byTask = task.compareTo(other.task);
    return byTask != 0 ? byTask : Integer.compare(number, other.number);
  }

  @Override
  public String toString() {
    return task + "#" + number;
  }
}
