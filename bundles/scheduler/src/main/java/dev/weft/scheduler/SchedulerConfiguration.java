package dev.weft.scheduler;

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
      name = "Buffer slots",
      description = "most tasks that are placed or run at the same time",
      min = "1",
      max = "100000")
  int buffer_slots() default 256;

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
