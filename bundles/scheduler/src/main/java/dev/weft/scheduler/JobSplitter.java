package dev.weft.scheduler;

import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.job.JobSpec;
import dev.weft.api.job.Shard;
import dev.weft.core.message.Message;
import java.util.List;
import java.util.Objects;

/** Cuts the input of a job into shards and offers them to the nodes. Thread-safe. */
public interface JobSplitter {
  /** Cuts a job. Reads the whole input: blocks, so never call it on a loop's thread. */
  Result split(JobId job, JobSpec spec);

  /** What became of it. */
  sealed interface Result {
    /**
     * The job is cut.
     *
     * @param shards at least one, in order of index
     * @param files more files that every attempt gets
     * @param policy name and version of the policy that chose the pieces, or that none was needed
     */
    record Cut(List<Shard> shards, List<Message.StagedFile> files, String policy)
        implements Result {
      /** Copies and checks. */
      public Cut {
        shards = List.copyOf(shards);
        files = List.copyOf(files);
        Objects.requireNonNull(policy, "policy");
      }
    }

    /** It cannot be cut, and why. What was offered of it is still offered: forget the job. */
    record NotCut(Fault fault) implements Result {
      /** Checks. */
      public NotCut {
        Objects.requireNonNull(fault, "fault");
      }
    }
  }
}
