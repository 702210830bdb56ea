package dev.weft.scheduler;

/** How often something has happened that may give room to tasks for which there was none. */
final class News {
  private long releases;
  private long nodes;

  /** Something was released. */
  void released() {
    releases++;
  }

  /** A node came. */
  void nodeCame() {
    nodes++;
  }

  /** How many news there were. */
  long count() {
    return releases + nodes;
  }

  /** How many nodes came. */
  long nodes() {
    return nodes;
  }
}
