package dev.weft.scheduler;

import dev.weft.api.job.JobSpec;
import dev.weft.core.job.JobService;
import dev.weft.core.job.JobSource;
import java.util.List;
import java.util.Objects;

/** Reads job files. Thread-safe; looks at the file system, never changes it. */
public interface JobReader {
  /** Reads and checks a job file; reports every problem at once. */
  Read read(JobSource source);

  /** What became of it. */
  sealed interface Read {
    /** The job file is right. */
    record Valid(JobSpec spec) implements Read {
      /** Checks. */
      public Valid {
        Objects.requireNonNull(spec, "spec");
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
