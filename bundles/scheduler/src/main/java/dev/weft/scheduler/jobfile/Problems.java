package dev.weft.scheduler.jobfile;

import dev.weft.core.job.JobService.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;

/** Collects what is wrong in a job file. Used by one thread. */
final class Problems {
  /** Most problems listed; of more, only the number is told. */
  static final int MAXIMUM_LISTED = 20;

  private final List<Problem> found = new ArrayList<>();

  void add(Optional<Mark> place, String key, String message) {
    // The parser counts from 0.
    int line = place.map(mark -> mark.getLine() + 1).orElse(0);
    int column = place.map(mark -> mark.getColumn() + 1).orElse(0);
    add(line, column, key, message);
  }

  void add(int line, int column, String key, String message) {
    found.add(new Problem(line, column, key, message));
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  /** In order of place. */
  List<Problem> list() {
    List<Problem> sorted = new ArrayList<>(found);
    sorted.sort(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column));
    int more = sorted.size() - MAXIMUM_LISTED;
    if (more > 0) {
      sorted = new ArrayList<>(sorted.subList(0, MAXIMUM_LISTED));
      sorted.add(new Problem(0, 0, "", more + " more, not listed"));
    }
    return sorted;
  }
}
