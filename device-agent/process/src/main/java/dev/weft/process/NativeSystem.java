package dev.weft.process;

import com.sun.jna.Native;
import com.sun.jna.Pointer;

/**
 * Calls of the C library: {@code kill(2)}, {@code prctl(2)} and {@code waitpid(2)}. Making one may
 * fail with a {@link LinkageError}.
 */
final class NativeSystem implements Signals, Adoption {
  // PR_SET_CHILD_SUBREAPER of linux/prctl.h, WNOHANG of sys/wait.h.
  private static final int SET_CHILD_SUBREAPER = 36;
  private static final int NO_HANG = 1;

  /** The C library, bound when this class is first used. */
  private static final class CLibrary {
    static {
      Native.register(CLibrary.class, "c");
    }

    private CLibrary() {}

    static native int kill(int target, int signal);

    static native int prctl(int option, long second, long third, long fourth, long fifth);

    static native int waitpid(int pid, Pointer status, int options);
  }

  NativeSystem() {
    // Fails here, and not in the middle of a run, where the library cannot be loaded.
    send(ProcessHandle.current().pid(), NONE);
  }

  @Override
  public boolean send(long target, int signal) {
    // 0, -1 and 1 would mean whole sets of processes, or the first one.
    if (Math.abs(target) <= 1) {
      throw new IllegalArgumentException("not a process that may be signalled: " + target);
    }
    return CLibrary.kill(Math.toIntExact(target), signal) == 0;
  }

  @Override
  public boolean adopt() {
    return CLibrary.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
  }

  @Override
  public void reap(long pid) {
    if (pid <= 1) {
      throw new IllegalArgumentException("not a single process: " + pid);
    }
    CLibrary.waitpid(Math.toIntExact(pid), Pointer.NULL, NO_HANG);
  }
}
