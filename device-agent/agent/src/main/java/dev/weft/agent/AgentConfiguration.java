package dev.weft.agent;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Settings of the agent; keys are the method names with dots for underscores. */
@ObjectClassDefinition(
    name = "Weft device agent",
    description = "What this node offers, how often it reports, and what attempts may write.")
@interface AgentConfiguration {
  /** Cores offered. */
  @AttributeDefinition(
      name = "Offered processor",
      description =
          "Cores that tasks may use, a decimal number such as 1.5; empty: all logical cores.",
      required = false)
  String offer_cpu() default "";

  /** Memory offered. */
  @AttributeDefinition(
      name = "Offered memory",
      description =
          "Memory that tasks may use, with a unit, such as 2GiB; empty: the usable memory minus"
              + " 256 MiB, at least half of it.",
      required = false)
  String offer_memory() default "";

  /** Graphics processors offered. */
  @AttributeDefinition(
      name = "Offered graphics processors",
      description = "Number of graphics processors that tasks may use; empty: all that are found.",
      required = false)
  String offer_gpu() default "";

  /** Counters offered. */
  @AttributeDefinition(
      name = "Offered counters",
      description =
          "Other things that tasks may ask for by name, and how many the node has, name=number"
              + " with commas between, such as camera=2, licence=5.",
      required = false)
  String offer_counters() default "";

  /** Labels. */
  @AttributeDefinition(
      name = "Labels",
      description =
          "Labels of this node, key=value with commas between; os and arch are set by default.",
      required = false)
  String labels() default "";

  /** Report period. */
  @AttributeDefinition(
      name = "Report period",
      description =
          "Time between two reports to a manager when nothing changes, in milliseconds; changes"
              + " are reported within a second whatever this says.",
      min = "1000",
      max = "600000")
  long report_period_ms() default 5_000;

  /** B6. */
  @AttributeDefinition(
      name = "Version relation",
      description =
          "How the version in a dispatch must stand to the node's own to be taken: NEWER,"
              + " NOT_OLDER, NEXT or ANY. Holds from the next start on.")
  VersionRules.Relation version_relation() default VersionRules.Relation.NEWER;

  /** B4 c. */
  @AttributeDefinition(
      name = "Version wait",
      description =
          "Time that the node waits, once a manager has told it that their versions differ, before"
              + " it sends an update, in milliseconds. Holds from the next start on.",
      min = "100",
      max = "600000")
  long version_differ_ms() default 5_000;

  /** Inventory period. */
  @AttributeDefinition(
      name = "Inventory period",
      description =
          "Time between two looks at load and memory, in milliseconds; expensive probes have a"
              + " longer period of their own.",
      min = "200",
      max = "600000")
  long inventory_period_ms() default 1_000;

  /** Output limit. */
  @AttributeDefinition(
      name = "Output limit",
      description =
          "Longest standard output of an attempt, in MiB; an attempt that writes more is ended.",
      min = "1",
      max = "1048576")
  long output_limit_mib() default 4_096;

  /** Errors limit. */
  @AttributeDefinition(
      name = "Limit of standard error",
      description = "Most of an attempt's standard error that is kept, in MiB; more is discarded.",
      min = "1",
      max = "1024")
  long errors_limit_mib() default 8;

  /** Logs kept. */
  @AttributeDefinition(
      name = "Outputs kept",
      description = "Number of ended attempts whose outputs are kept for weft job logs.",
      min = "0",
      max = "10000")
  int logs_keep() default 200;

  /** Bytes of logs kept. */
  @AttributeDefinition(
      name = "Size of outputs kept",
      description = "Most space that kept outputs of ended attempts take together, in MiB.",
      min = "0",
      max = "1048576")
  long logs_keep_mib() default 64;
}
