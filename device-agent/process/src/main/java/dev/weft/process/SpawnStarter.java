package dev.weft.process;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Starts programs by {@code posix_spawn(3)} of glibc 2.34 or newer, which makes the session without
 * a program in between: that doubles the rate. Making one may fail with a {@link LinkageError}
 * where the C library lacks what it needs.
 *
 * <p>Beyond what Java's own start does, no signal is blocked in what is started.
 */
final class SpawnStarter implements Starter {
  // Of spawn.h and fcntl.h of Linux.
  private static final short SET_SIGNAL_MASK = 0x08;
  private static final short SET_SESSION = 0x80;
  private static final int READ = 0;
  private static final int WRITE = 1;
  private static final int APPEND = 0x400;
  private static final int NOT_EXECUTABLE_FORMAT = 8;
  private static final int NO_HANG = 1;

  // Of both structures, on all architectures of glibc: 80 and 336 bytes are the largest.
  private static final int STRUCTURE = 512;
  private static final int SIGNAL_SET = 128;
  private static final int FIRST_OTHER_DESCRIPTOR = 3;
  private static final int SIGNAL_BASE = 128;
  private static final String SHELL = "/bin/sh";

  /** The part of the C library that is bound when this class is first used. */
  private static final class CLibrary {
    static {
      Native.register(CLibrary.class, "c");
    }

    private CLibrary() {}

    static native int posix_spawn_file_actions_init(Pointer actions);

    static native int posix_spawn_file_actions_destroy(Pointer actions);

    static native int posix_spawn_file_actions_addopen(
        Pointer actions, int descriptor, Pointer path, int flags, int mode);

    static native int posix_spawn_file_actions_addchdir_np(Pointer actions, Pointer path);

    static native int posix_spawn_file_actions_addclosefrom_np(Pointer actions, int from);

    static native int posix_spawnattr_init(Pointer attributes);

    static native int posix_spawnattr_destroy(Pointer attributes);

    static native int posix_spawnattr_setflags(Pointer attributes, short flags);

    static native int posix_spawnattr_setsigmask(Pointer attributes, Pointer set);

    static native int posix_spawn(
        Pointer pid,
        Pointer path,
        Pointer actions,
        Pointer attributes,
        Pointer arguments,
        Pointer environment);

    static native int waitpid(int pid, Pointer status, int options);

    static native String strerror(int number);
  }

  SpawnStarter() {
    // Fails here, and not at the first start, where a function is absent.
    CLibrary.posix_spawnattr_destroy(attributes());
    CLibrary.posix_spawn_file_actions_destroy(empty());
  }

  @Override
  public Child start(Program program) throws IOException {
    String file = program.file().toString();
    Spawned spawned = spawn(file, program.arguments(), program);
    if (spawned.error() == NOT_EXECUTABLE_FORMAT) {
      // As execvp(3): what does not begin with the name of an interpreter is a script of the shell.
      List<String> script = new ArrayList<>(List.of(SHELL, file));
      script.addAll(program.arguments().subList(1, program.arguments().size()));
      spawned = spawn(SHELL, script, program);
    }
    if (spawned.error() != 0) {
      throw new IOException(CLibrary.strerror(spawned.error()));
    }
    return new Child(spawned.pid(), exit(spawned.pid()), false);
  }

  private record Spawned(int error, int pid) {}

  private static Spawned spawn(String file, List<String> arguments, Program program) {
    Memory pid = new Memory(Integer.BYTES);
    Pointer attributes = attributes();
    Pointer actions = empty();
    try {
      CLibrary.posix_spawn_file_actions_addchdir_np(actions, text(program.folder().toString()));
      open(actions, 0, program.input(), READ);
      open(actions, 1, program.output(), WRITE);
      open(actions, 2, program.errors(), WRITE | APPEND);
      CLibrary.posix_spawn_file_actions_addclosefrom_np(actions, FIRST_OTHER_DESCRIPTOR);
      List<String> variables =
          program.environment().entrySet().stream()
              .map(variable -> variable.getKey() + "=" + variable.getValue())
              .toList();
      int error =
          CLibrary.posix_spawn(
              pid, text(file), actions, attributes, texts(arguments), texts(variables));
      return new Spawned(error, pid.getInt(0));
    } finally {
      CLibrary.posix_spawn_file_actions_destroy(actions);
      CLibrary.posix_spawnattr_destroy(attributes);
    }
  }

  private static void open(Pointer actions, int descriptor, Path file, int flags) {
    // The library keeps a copy of the path.
    CLibrary.posix_spawn_file_actions_addopen(actions, descriptor, text(file.toString()), flags, 0);
  }

  private static Pointer empty() {
    Pointer actions = new Memory(STRUCTURE);
    CLibrary.posix_spawn_file_actions_init(actions);
    return actions;
  }

  private static Pointer attributes() {
    Memory none = new Memory(SIGNAL_SET);
    none.clear();
    Pointer attributes = new Memory(STRUCTURE);
    CLibrary.posix_spawnattr_init(attributes);
    CLibrary.posix_spawnattr_setsigmask(attributes, none);
    CLibrary.posix_spawnattr_setflags(attributes, (short) (SET_SESSION | SET_SIGNAL_MASK));
    return attributes;
  }

  /** Java's own waiting for any process leaves the exit code of a child to be taken. */
  private static CompletionStage<Integer> exit(int pid) {
    return ProcessHandle.of(pid).orElseThrow().onExit().thenApply(handle -> exitCode(pid));
  }

  private static int exitCode(int pid) {
    Memory status = new Memory(Integer.BYTES);
    if (CLibrary.waitpid(pid, status, NO_HANG) != pid) {
      throw new IllegalStateException("process " + pid + " has ended, but not for its parent");
    }
    // WTERMSIG and WEXITSTATUS of sys/wait.h.
    int signal = status.getInt(0) & 0x7f;
    return signal == 0 ? (status.getInt(0) >> 8) & 0xff : SIGNAL_BASE + signal;
  }

  /** An array of texts for C, ended by a null pointer. */
  private static Pointer texts(List<String> texts) {
    List<byte[]> encoded = texts.stream().map(SpawnStarter::encode).toList();
    long table = (long) Native.POINTER_SIZE * (texts.size() + 1);
    Memory memory = new Memory(table + encoded.stream().mapToInt(bytes -> bytes.length).sum());
    long at = table;
    for (int i = 0; i < encoded.size(); i++) {
      memory.setPointer((long) Native.POINTER_SIZE * i, memory.share(at));
      memory.write(at, encoded.get(i), 0, encoded.get(i).length);
      at += encoded.get(i).length;
    }
    memory.setPointer((long) Native.POINTER_SIZE * encoded.size(), Pointer.NULL);
    return memory;
  }

  private static Pointer text(String text) {
    byte[] bytes = encode(text);
    Memory memory = new Memory(bytes.length);
    memory.write(0, bytes, 0, bytes.length);
    return memory;
  }

  private static byte[] encode(String text) {
    byte[] bytes = text.getBytes(Charset.defaultCharset());
    return Arrays.copyOf(bytes, bytes.length + 1);
  }
}
