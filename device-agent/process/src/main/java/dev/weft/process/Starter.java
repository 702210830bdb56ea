package dev.weft.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Starts programs, each as the leader of a session of its own. May be used by any thread. */
interface Starter {
  /**
   * What is to be started.
   *
   * @param file the program, absolute
   * @param arguments its name as it was given, and its arguments
   * @param environment all of its environment
   * @param folder where it runs
   * @param input a file that can be read
   * @param output a file that is there and empty
   * @param errors a file that is there and empty; appended to, so that it stays short after it was
   *     cut to its limit
   */
  record Program(
      Path file,
      List<String> arguments,
      Map<String, String> environment,
      Path folder,
      Path input,
      Path output,
      Path errors) {
    /** Copies. */
    public Program {
      arguments = List.copyOf(arguments);
      environment = Map.copyOf(environment);
    }
  }

  /**
   * What was started.
   *
   * @param exit its exit code, or 128 and the number of the signal that ended it
   * @param isThroughSetsid whether {@code setsid(1)} became the program, and may have failed to
   */
  record Child(long pid, CompletionStage<Integer> exit, boolean isThroughSetsid) {}

  /**
   * Starts a program.
   *
   * @throws IOException if the system refuses that
   */
  Child start(Program program) throws IOException;
}
