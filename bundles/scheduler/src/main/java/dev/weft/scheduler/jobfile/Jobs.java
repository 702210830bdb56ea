package dev.weft.scheduler.jobfile;

import dev.weft.api.JobId;
import java.nio.file.Path;
import java.util.List;

/** What a job file's reader asks about jobs. Thread-safe. */
public interface Jobs {
  /** An id for a job to be made. */
  JobId draw();

  /** Ids of known jobs that start with the given digits, in order. */
  List<JobId> find(String prefix);

  /** Where the result of a job will be when it is completed. */
  Path result(JobId job);
}
