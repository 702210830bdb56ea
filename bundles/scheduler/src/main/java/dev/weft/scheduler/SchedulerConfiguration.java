package dev.weft.scheduler;

import dev.weft.scheduler.flow.BufferRules;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Settings of the task scheduler. */
@ObjectClassDefinition(
    id = "weft.scheduler",
    name = "Task scheduler",
    description = "Accepts jobs, dispatches their tasks, delivers results")
public @interface SchedulerConfiguration {
  /** Size of the buffer pool. */
  @AttributeDefinition(
      name = "Buffer slots (m)",
      description = "tasks that are placed or run at the same time, at the start",
      min = "1",
      max = "1000000")
  int buffer_slots() default 256;

  /** Smallest size. */
  @AttributeDefinition(
      name = "Fewest buffer slots",
      description = "the pool never gets smaller",
      min = "1",
      max = "1000000")
  int buffer_minimum() default 16;

  /** Largest size. */
  @AttributeDefinition(
      name = "Most buffer slots",
      description = "the pool never gets larger",
      min = "1",
      max = "1000000")
  int buffer_maximum() default 100_000;

  /** Injection threshold. */
  @AttributeDefinition(
      name = "Injection threshold",
      description = "share of the slots; while fewer are taken, the empty ones are filled",
      min = "0",
      max = "1")
  double buffer_threshold() default 1;

  /** Injection window. */
  @AttributeDefinition(
      name = "Injection window",
      description = "milliseconds after which the size is considered anew",
      min = "1",
      max = "3600000")
  long buffer_window_ms() default 10_000;

  /** Baseline. */
  @AttributeDefinition(
      name = "Baseline (B)",
      description = "usual number of injections per slot and window",
      min = "0",
      max = "1000000")
  double buffer_baseline() default 1;

  /** Upper bound. */
  @AttributeDefinition(
      name = "Growth (a)",
      description = "with more injections than so many times the baseline the pool grows",
      min = "1",
      max = "100")
  double buffer_grow() default 1.5;

  /** Lower bound. */
  @AttributeDefinition(
      name = "Shrinking (b)",
      description = "with fewer injections than so many times the baseline the pool shrinks",
      min = "0",
      max = "1")
  double buffer_shrink() default 0.5;

  /** Stall time. */
  @AttributeDefinition(
      name = "Stall time",
      description = "milliseconds without any change after which the pool is reset",
      min = "1",
      max = "86400000")
  long stall_ms() default 60_000;

  /** What a reset withdraws. */
  @AttributeDefinition(
      name = "Withdrawn by a reset",
      description =
          "SILENT: assignments without a status for the status timeout; ALL: every assignment")
  BufferRules.Withdraw stall_withdraw() default BufferRules.Withdraw.SILENT;

  /** T1. */
  @AttributeDefinition(
      name = "Retry wait (T1)",
      description = "milliseconds that a task waits after no node could take it",
      min = "10",
      max = "3600000")
  long retry_wait_ms() default 1000;

  /** T2. */
  @AttributeDefinition(
      name = "Answer timeout (T2)",
      description = "milliseconds after which a resource manager that does not answer is suspect",
      min = "100",
      max = "3600000")
  long answer_timeout_ms() default 5_000;

  /** T3. */
  @AttributeDefinition(
      name = "Status timeout (T3)",
      description = "milliseconds without a status after which an attempt is taken for lost",
      min = "100",
      max = "86400000")
  long status_timeout_ms() default 15_000;

  /** Status period. */
  @AttributeDefinition(
      name = "Status period",
      description = "milliseconds between two statuses of an attempt",
      min = "10",
      max = "3600000")
  long status_period_ms() default 2000;

  /** Status periods. */
  @AttributeDefinition(
      name = "Status periods",
      description = "periods without an answer after which a node stops an attempt",
      min = "1",
      max = "1000")
  int status_periods() default 4;

  /** Stop grace. */
  @AttributeDefinition(
      name = "Stop grace",
      description = "milliseconds between asking an attempt to end and ending it by force",
      min = "0",
      max = "600000")
  long stop_grace_ms() default 3000;

  /** Jobs kept. */
  @AttributeDefinition(
      name = "Jobs kept",
      description = "ended jobs that are remembered, with their results",
      min = "1",
      max = "100000")
  int jobs_kept() default 100;
}
