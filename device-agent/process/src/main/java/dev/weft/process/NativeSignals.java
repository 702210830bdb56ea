package dev.weft.process;

import com.sun.jna.Native;

/** Signals by {@code kill(2)} of the C library. Making one may fail with a {@link LinkageError}. */
final class NativeSignals implements Signals {
  /** The C library, bound when this class is first used. */
  private static final class CLibrary {
    static {
      Native.register(CLibrary.class, "c");
    }

    private CLibrary() {}

    static native int kill(int target, int signal);
  }

  NativeSignals() {
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
}
