package dev.weft.staging;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Settings of this bundle; their file is {@code etc/weft.staging.cfg}. */
@ObjectClassDefinition(
    id = "weft.staging",
    name = "Weft staging",
    description = "Moves inputs to nodes and results back, over TCP")
@interface StagingSettings {
  /** TCP port of a manager's staging area. */
  @AttributeDefinition(
      name = "port",
      description = "TCP port that a manager's staging area listens on; 0 for any that is free",
      min = "0",
      max = "65535")
  int port() default 0;

  /** Most bytes in a node's cache. */
  @AttributeDefinition(
      name = "cache.limit.mb",
      description = "Most MiB of inputs that a node keeps for later tasks; 0 keeps none",
      min = "0",
      max = "1048576")
  int cache_limit_mb() default 1024;

  /** Bytes that results must leave free. */
  @AttributeDefinition(
      name = "disk.reserve.mb",
      description = "MiB of a manager's disk that delivered results must leave free",
      min = "0",
      max = "1048576")
  int disk_reserve_mb() default 64;
}
