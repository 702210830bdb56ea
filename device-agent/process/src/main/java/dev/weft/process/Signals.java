package dev.weft.process;

/** Sends signals to processes. */
interface Signals {
  /** Only asks whether there is somebody. */
  int NONE = 0;

  /** Ends by force. */
  int KILL = 9;

  /** Asks to end. */
  int TERMINATE = 15;

  /**
   * Sends a signal.
   *
   * @param target process id; negative for all processes of the group with that id
   * @return false if there is no such process, or none that may be signalled
   */
  boolean send(long target, int signal);
}
