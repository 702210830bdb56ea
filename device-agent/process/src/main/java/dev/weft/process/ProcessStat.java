package dev.weft.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What {@code /proc/PID/stat} says of a process, see proc(5).
 *
 * @param isZombie whether it has ended and only waits for its parent
 * @param isKernels whether it is a thread of the kernel
 * @param start when it started, in clock ticks since the machine did
 * @param codeStart address at which its program begins; 0 until a new program is set up, and when
 *     it ends
 * @param environmentEnd address at which its environment ends
 */
record ProcessStat(
    boolean isZombie,
    long parent,
    long session,
    boolean isKernels,
    long start,
    long codeStart,
    long environmentEnd) {
  private static final int MAXIMUM = 4096;
  private static final int STATE = 0;
  private static final int PARENT = 1;
  private static final int SESSION = 3;
  private static final int FLAGS = 6;
  private static final int START = 19;
  private static final int CODE_START = 23;
  private static final int ENVIRONMENT_END = 48;
  // PF_KTHREAD of include/linux/sched.h.
  private static final long KERNEL_THREAD = 0x0020_0000;

  /** Whether it surely is still the program that it was. */
  boolean isSameProgram(ProcessStat before) {
    return codeStart != 0
        && codeStart == before.codeStart
        && environmentEnd == before.environmentEnd;
  }

  /**
   * Reads it.
   *
   * @param folder {@code /proc/PID}
   * @return empty if there is no such process
   */
  static Optional<ProcessStat> read(Path folder) {
    try (InputStream in = Files.newInputStream(folder.resolve("stat"))) {
      String text = new String(in.readNBytes(MAXIMUM), StandardCharsets.UTF_8);
      // The name is in parentheses and may contain anything, so the last one counts.
      String[] fields = text.substring(text.lastIndexOf(')') + 2).strip().split(" ", -1);
      return Optional.of(
          new ProcessStat(
              fields[STATE].equals("Z") || fields[STATE].equals("X"),
              Long.parseLong(fields[PARENT]),
              Long.parseLong(fields[SESSION]),
              (Long.parseLong(fields[FLAGS]) & KERNEL_THREAD) != 0,
              Long.parseLong(fields[START]),
              // Some addresses do not fit a signed number.
              Long.parseUnsignedLong(fields[CODE_START]),
              Long.parseUnsignedLong(fields[ENVIRONMENT_END])));
    } catch (IOException | IndexOutOfBoundsException | NumberFormatException gone) {
      return Optional.empty();
    }
  }
}
