package dev.weft.api.bus;

/** What a node is for. One node may have both roles. */
public enum Role {
  /** Holds a resource manager and a task scheduler. */
  MANAGER,
  /** Runs tasks. */
  AGENT
}
