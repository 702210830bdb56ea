package dev.weft.process;

import com.sun.jna.Native;

/** The system call that ends processes, by JNA: no program is started for it. */
final class Signals {
  static final int TERM = 15;
  static final int KILL = 9;
  private static final int NONE = 0;

  static {
    Native.register(Signals.class, "c");
  }

  private Signals() {}

  /** kill(2): {@code pid} below 0 stands for the process group of that number. */
  private static native int kill(int pid, int signal);

  /**
   * Makes sure that the library is there.
   *
   * @throws UnsatisfiedLinkError if it is not
   */
  static void load() {
    kill(1, NONE);
  }

  static void sendTo(long pid, int signal) {
    int ignored = kill((int) pid, signal); // it may have ended meanwhile
    assert ignored <= 0;
  }

  static void sendToGroup(long group, int signal) {
    sendTo(-group, signal);
  }

  /** Whether a process group has a member. */
  static boolean groupExists(long group) {
    return kill((int) -group, NONE) == 0;
  }
}
