package dev.weft.agent.run;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.job.Shard;
import dev.weft.core.message.Message;
import java.time.Duration;
import java.util.Objects;

/**
 * An attempt to run.
 *
 * @param attempt which
 * @param manager whose; its staging area has the input and takes the result
 * @param part what it has in common with the other tasks of its job
 * @param shard what it works on
 * @param resources what it was given of the node, graphics processors by device
 * @param grace time between asking it to end and ending it by force
 */
public record RunRequest(
    AttemptId attempt,
    NodeId manager,
    Message.JobPart part,
    Shard shard,
    Resources resources,
    Duration grace) {
  /** Checks. */
  public RunRequest {
    Objects.requireNonNull(attempt, "attempt");
    Objects.requireNonNull(manager, "manager");
    Objects.requireNonNull(part, "part");
    Objects.requireNonNull(shard, "shard");
    Objects.requireNonNull(resources, "resources");
    Objects.requireNonNull(grace, "grace");
  }

  /** Whether something must be brought from the manager before the start. */
  boolean needsStaging() {
    return !part.files().isEmpty() || shard instanceof Shard.Content;
  }
}
