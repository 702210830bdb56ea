package dev.weft.scheduler;

import dev.weft.core.message.Message.StatusRules;
import dev.weft.scheduler.flow.BufferRules;
import java.time.Duration;
import java.util.Objects;

/**
 * How the scheduler works.
 *
 * @param buffer the buffer pool (D)
 * @param retryWait T1: how long a task that no node could take waits (A4)
 * @param answerTimeout T2: how long a resource manager may take to answer (A6)
 * @param statusTimeout T3: without a status for so long an attempt is taken for lost (A7)
 * @param rules how nodes report (A8)
 * @param jobsKept how many ended jobs are remembered
 */
public record SchedulerSettings(
    BufferRules buffer,
    Duration retryWait,
    Duration answerTimeout,
    Duration statusTimeout,
    StatusRules rules,
    int jobsKept) {
  /**
   * Checks.
   *
   * @throws IllegalArgumentException if T3 is not longer than the node needs to give up by itself
   *     (A8); the message names keys and values
   */
  public SchedulerSettings {
    Objects.requireNonNull(buffer, "buffer");
    Objects.requireNonNull(retryWait, "retryWait");
    Objects.requireNonNull(answerTimeout, "answerTimeout");
    Duration needed = rules.period().multipliedBy(rules.periods()).plus(rules.grace());
    if (statusTimeout.compareTo(needed) <= 0) {
      throw new IllegalArgumentException(
          "status.timeout.ms = %d: must be more than status.period.ms × status.periods + stop.grace.ms = %d × %d + %d = %d"
              .formatted(
                  statusTimeout.toMillis(),
                  rules.period().toMillis(),
                  rules.periods(),
                  rules.grace().toMillis(),
                  needed.toMillis()));
    }
  }
}
