package dev.weft.scheduler.jobfile;

import dev.weft.api.JobId;
import dev.weft.api.job.JobSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which jobs one job needs: those that its {@code needs} names, and those whose results it reads. A
 * name is that of a step of the same file, else the first digits of the id of a known job.
 */
final class Needs {
  private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{1,32}");
  private static final int MAXIMUM_TEXT = 100;

  private final Map<String, JobId> steps;
  private final Jobs jobs;
  private final Set<JobId> ids = new LinkedHashSet<>();

  /**
   * For one job.
   *
   * @param steps ids of the steps of the same file by their names; none if it names no steps
   */
  Needs(Map<String, JobId> steps, Jobs jobs) {
    this.steps = steps;
    this.jobs = jobs;
  }

  /** Reads {@code needs}. */
  void read(Value value) {
    for (Value item : value.list("a list of " + kinds(), JobSpec.MAXIMUM_NEEDS).orElse(List.of())) {
      find(item).ifPresent(ids::add);
    }
  }

  /** Where the result of the job with this name will be; from now on it is needed. */
  Optional<Path> result(Value value) {
    Optional<JobId> found = find(value);
    found.ifPresent(ids::add);
    return found.map(jobs::result);
  }

  /** What is needed, in order of place. */
  List<JobId> ids() {
    return new ArrayList<>(ids);
  }

  private String kinds() {
    return steps.isEmpty() ? "job ids" : "steps or job ids";
  }

  private Optional<JobId> find(Value value) {
    String expected = steps.isEmpty() ? "the id of a job" : "the name of a step or the id of a job";
    Optional<String> text = value.text(expected, MAXIMUM_TEXT);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    JobId step = steps.get(text.get());
    if (step != null) {
      return Optional.of(step);
    }
    String digits = text.get().toLowerCase(Locale.ROOT);
    List<JobId> found = DIGITS.matcher(digits).matches() ? jobs.find(digits) : List.of();
    if (found.size() == 1) {
      return Optional.of(found.get(0));
    }
    if (found.size() > 1) {
      value.problem(
          "more than one job has an id that starts with " + digits + "; give more digits");
    } else if (steps.isEmpty()) {
      value.problem(
          "no job has an id that starts with %s: 'weft job list --all' shows them"
              .formatted(value.shown()));
    } else {
      value.problem("there is no such step; " + Nearest.suggestion(text.get(), steps.keySet()));
    }
    return Optional.empty();
  }
}
