package dev.weft.policy.rank;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Settings of the policy: what a unit of each resource type counts, and how much is a unit. */
@ObjectClassDefinition(
    id = "weft.policy.rank",
    name = "Placement policy rank",
    description = "Nodes with more free resources first")
public @interface RankConfiguration {
  /** Weight of processors. */
  @AttributeDefinition(
      name = "Weight of processors",
      description = "rank per free unit; a unit is a core if unit.cpu says nothing else",
      min = "0",
      max = "1000000")
  double weight_cpu() default 1;

  /** Weight of memory. */
  @AttributeDefinition(
      name = "Weight of memory",
      description = "rank per free unit; a unit is a GiB if unit.memory says nothing else",
      min = "0",
      max = "1000000")
  double weight_memory() default 1;

  /** Weight of graphics processors. */
  @AttributeDefinition(
      name = "Weight of graphics processors",
      description = "rank per free unit; a unit is a device if unit.gpu says nothing else",
      min = "0",
      max = "1000000")
  double weight_gpu() default 1;

  /** Weights of other types. */
  @AttributeDefinition(
      name = "Weights of other types",
      description =
          "name=weight with commas between: counters, or gpu.memory; what is not named does not count")
  String weight_other() default "";

  /** Unit of processors. */
  @AttributeDefinition(
      name = "Unit of processors",
      description = "cores that count as one",
      min = "0.001",
      max = "1000000")
  double unit_cpu() default 1;

  /** Unit of memory. */
  @AttributeDefinition(
      name = "Unit of memory",
      description = "GiB that count as one",
      min = "0.001",
      max = "1000000")
  double unit_memory() default 1;

  /** Unit of graphics processors. */
  @AttributeDefinition(
      name = "Unit of graphics processors",
      description = "devices that count as one",
      min = "0.001",
      max = "1000000")
  double unit_gpu() default 1;

  /** Units of other types. */
  @AttributeDefinition(
      name = "Units of other types",
      description =
          "name=amount with commas between: how many of a counter, or GiB of gpu.memory, count as one; 1 if it is not named")
  String unit_other() default "";
}
