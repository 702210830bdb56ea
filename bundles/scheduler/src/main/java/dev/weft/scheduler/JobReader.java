package dev.weft.scheduler;

import dev.weft.api.JobId;
import dev.weft.api.job.JobSpec;
import dev.weft.core.job.JobService;
import dev.weft.core.job.JobSource;
import java.util.List;
import java.util.Objects;

/** Reads job files. Thread-safe; looks at the file system, never changes it. */
public interface JobReader {
  /** Reads and checks a job file; reports every problem at once. */
  Read read(JobSource source);

  /** A job to be made; other steps may need it by its id. */
  record Step(JobId id, JobSpec spec) {
    /** Checks. */
    public Step {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(spec, "spec");
    }
  }

  /** What became of it. */
  sealed interface Read {
    /**
     * The job file is right.
     *
     * @param steps the jobs to be made of it, each after those that it needs; at least one
     */
    record Valid(List<Step> steps) implements Read {
      /** Copies and checks. */
      public Valid {
        steps = List.copyOf(steps);
        if (steps.isEmpty()) {
          throw new IllegalArgumentException("a job file has at least one step");
        }
      }
    }

    /** The job file is wrong; at least one problem, in order of place. */
    record Invalid(List<JobService.Problem> problems) implements Read {
      /** Copies. */
      public Invalid {
        problems = List.copyOf(problems);
      }
    }
  }
}
