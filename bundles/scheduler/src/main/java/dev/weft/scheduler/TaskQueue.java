package dev.weft.scheduler;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/** The tasks of one job that wait, the first by index first; some not before a time. */
final class TaskQueue {
  private final PriorityQueue<Task> ready =
      new PriorityQueue<>(Comparator.comparingInt(task -> task.index));
  private final PriorityQueue<Resting> resting =
      new PriorityQueue<>(
          Comparator.comparing(Resting::until).thenComparing(resting -> resting.task().index));

  /** A task that is not to be tried before a time. */
  private record Resting(Instant until, Task task) {}

  void add(Task task) {
    ready.add(task);
  }

  /** Adds a task that is not to be tried before a time. */
  void rest(Task task, Instant until) {
    resting.add(new Resting(until, task));
  }

  /** Those whose time has come are ready. */
  void ripen(Instant now) {
    while (!resting.isEmpty() && !resting.peek().until().isAfter(now)) {
      ready.add(resting.poll().task());
    }
  }

  /** Takes out the first that is ready. */
  Optional<Task> poll() {
    return Optional.ofNullable(ready.poll());
  }

  /** Takes out all that are ready. */
  List<Task> pollAll() {
    List<Task> all = new ArrayList<>(ready.size());
    while (!ready.isEmpty()) {
      all.add(ready.poll());
    }
    return all;
  }

  /** How many are ready. */
  int ready() {
    return ready.size();
  }

  /** Whether some are not to be tried yet. */
  boolean hasResting() {
    return !resting.isEmpty();
  }

  /** How many wait. */
  int size() {
    return ready.size() + resting.size();
  }

  /** The next one. */
  Optional<Task> first() {
    return Optional.ofNullable(ready.peek())
        .or(() -> Optional.ofNullable(resting.peek()).map(Resting::task));
  }

  void clear() {
    ready.clear();
    resting.clear();
  }
}
