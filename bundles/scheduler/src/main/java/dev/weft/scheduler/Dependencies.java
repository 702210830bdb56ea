package dev.weft.scheduler;

import dev.weft.api.JobId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which jobs wait for which, and which jobs are needed: a job that needs others waits until all of
 * them are completed, and as long as it has not ended their results must stay, since it may read
 * them.
 */
final class Dependencies {
  private final Map<JobId, Set<JobId>> missing = new LinkedHashMap<>();
  private final Map<JobId, Set<JobId>> dependants = new LinkedHashMap<>();

  /**
   * A job needs others.
   *
   * @param needs all that it needs
   * @param notCompleted those of them that are not completed yet
   */
  void add(JobId job, Collection<JobId> needs, Collection<JobId> notCompleted) {
    for (JobId needed : needs) {
      dependants.computeIfAbsent(needed, key -> new LinkedHashSet<>()).add(job);
    }
    if (!notCompleted.isEmpty()) {
      missing.put(job, new LinkedHashSet<>(notCompleted));
    }
  }

  /** A job is completed. Returns the jobs that waited for nothing else, in order of submission. */
  List<JobId> completed(JobId needed) {
    return waitingFor(needed).stream()
        .filter(
            job -> {
              Set<JobId> left = missing.get(job);
              left.remove(needed);
              return left.isEmpty() && missing.remove(job) != null;
            })
        .toList();
  }

  /** The jobs that wait for this one, in order of submission. */
  List<JobId> waitingFor(JobId needed) {
    return dependants.getOrDefault(needed, Set.of()).stream()
        .filter(job -> missing.getOrDefault(job, Set.of()).contains(needed))
        .toList();
  }

  /** What a job still waits for. */
  Set<JobId> missing(JobId job) {
    return missing.getOrDefault(job, Set.of());
  }

  /** A job has ended: it needs nothing any more. */
  void ended(JobId job, Collection<JobId> needs) {
    missing.remove(job);
    for (JobId needed : needs) {
      dependants.computeIfPresent(
          needed,
          (key, jobs) -> {
            jobs.remove(job);
            return jobs.isEmpty() ? null : jobs;
          });
    }
  }

  /** Whether a job that has not ended needs this one. */
  boolean isNeeded(JobId job) {
    return dependants.containsKey(job);
  }

  /** Whether nothing waits and nothing is needed. */
  boolean isEmpty() {
    return missing.isEmpty() && dependants.isEmpty();
  }
}
