package dev.weft.core.job;

import dev.weft.api.AttemptId;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.job.JobSpec;
import dev.weft.api.policy.Refusal;
import dev.weft.core.message.Message;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ProviderType;

/** Accepts jobs and tells of them. A service; thread-safe. */
@ProviderType
public interface JobService {
  /** Checks a job file without submitting it. May read the file system. */
  Checked check(JobSource source);

  /**
   * Checks a job file and, if it is right, accepts the job. Returns as soon as the id is known; the
   * input is split afterwards.
   */
  Submitted submit(JobSource source);

  /** Every job known, newest first. */
  List<JobView> jobs();

  /** Ids that start with the given digits, in order; all of them for an empty prefix. */
  List<JobId> find(String prefix);

  /** One job. */
  Optional<JobView> job(JobId id);

  /** What its user asked for; empty if the job is not known. */
  Optional<JobSpec> spec(JobId id);

  /** Its tasks, in order of index; empty if the job is not known. */
  List<TaskView> tasks(JobId id);

  /**
   * Cancels a job: nothing of it is started any more, what runs is stopped.
   *
   * @return whether the job is known and had not ended
   */
  boolean cancel(JobId id);

  /**
   * Watches a job: the listener gets its state now and after changes, several of which may come as
   * one, and last when it has ended. Called on a thread of the scheduler's own: must not block.
   *
   * @return closes the watch
   */
  AutoCloseable watch(JobId id, Consumer<JobView> listener);

  /**
   * A piece of an attempt's output: from the node while it has it, else what the manager kept.
   *
   * @return a {@link Message.LogChunk}, or {@link Message.Failed}
   */
  CompletionStage<Message> readLog(AttemptId attempt, Message.Stream stream, long offset);

  /** The file with the merged result, if the job is completed and still has it. */
  Optional<Path> result(JobId id);

  /** The buffer pool now (D). */
  BufferStatus buffer();

  /**
   * Empties a node: it gets no more tasks; what runs on it may end by itself until the deadline,
   * then it is withdrawn and tried elsewhere. The node stays without tasks until it is made
   * eligible again.
   *
   * @param deadline how long tasks may go on; zero to withdraw them at once
   * @return whether the node is known
   */
  boolean drain(NodeId node, Duration deadline);

  /** Ends a drain without withdrawing anything; the node may get tasks again. */
  void endDrain(NodeId node);

  /** How far a drain is; empty if the node is not drained. */
  Optional<DrainStatus> drain(NodeId node);

  /** Result of a check. */
  sealed interface Checked {
    /**
     * The job file is right.
     *
     * @param steps what it says: its steps in an order in which each comes after those that it
     *     needs; one if it names no steps
     * @param neverFits if no known node could ever take a task: why, per node; else empty
     */
    record Valid(List<JobSpec> steps, Map<NodeId, Refusal> neverFits) implements Checked {
      /** Copies. */
      public Valid {
        steps = List.copyOf(steps);
        neverFits = Map.copyOf(neverFits);
      }
    }

    /** The job file is wrong; at least one problem. */
    record Invalid(List<Problem> problems) implements Checked {
      /** Copies. */
      public Invalid {
        problems = List.copyOf(problems);
      }
    }
  }

  /** Result of a submission. */
  sealed interface Submitted {
    /**
     * The job is accepted.
     *
     * @param id the job; of several steps the last, whose result is that of the job file
     * @param steps every job that was made of it, each after those that it needs
     * @param neverFits if no known node could ever take a task: why, per node; else empty
     */
    record Accepted(JobId id, List<JobId> steps, Map<NodeId, Refusal> neverFits)
        implements Submitted {
      /** Copies. */
      public Accepted {
        Objects.requireNonNull(id, "id");
        steps = List.copyOf(steps);
        neverFits = Map.copyOf(neverFits);
      }
    }

    /** The job file is wrong; nothing has changed. */
    record Rejected(List<Problem> problems) implements Submitted {
      /** Copies. */
      public Rejected {
        problems = List.copyOf(problems);
      }
    }
  }

  /**
   * Something wrong in a job file.
   *
   * @param line from 1; 0 if it concerns no line
   * @param column from 1; 0 if it concerns no column
   * @param key path of the key, such as {@code input.lines.file}; empty if none
   * @param message what is wrong and what was expected
   */
  record Problem(int line, int column, String key, String message) {
    /** Checks. */
    public Problem {
      Objects.requireNonNull(key, "key");
      Objects.requireNonNull(message, "message");
    }

    @Override
    public String toString() {
      String place = line == 0 ? "" : "line " + line + ", column " + column + ": ";
      return place + (key.isEmpty() ? "" : key + ": ") + message;
    }
  }
}
