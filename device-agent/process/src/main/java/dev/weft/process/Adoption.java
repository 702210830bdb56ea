package dev.weft.process;

/** Makes this process the parent of what loses its own. */
interface Adoption {
  /**
   * From now on what this process started, at any remove, becomes its child when its parent ends.
   *
   * @return false if the system cannot do that
   */
  boolean adopt();

  /** Takes the exit code of a child that has ended, so that it is no zombie any more. */
  void reap(long pid);
}
