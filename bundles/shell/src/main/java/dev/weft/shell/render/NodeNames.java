package dev.weft.shell.render;

import dev.weft.api.NodeId;

/** What people call nodes. */
@FunctionalInterface
public interface NodeNames {
  /** The host name of a node; empty if it is not known. */
  String of(NodeId node);

  /** Name and short id, or the short id alone. */
  default String label(NodeId node) {
    String name = of(node);
    return name.isEmpty() ? node.shortForm() : name + " (" + node.shortForm() + ")";
  }
}
