package dev.weft.api.execution;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Runs attempts on a node. Registered as a service with the property {@link #KIND}. All methods may
 * be called from several threads at once.
 */
@ConsumerType
public interface Executor {
  /** Service property: kind of task it runs, such as {@code process}. */
  String KIND = "weft.executor.kind";

  /**
   * Starts an attempt. Does not wait for its end. Never throws: what cannot be started ends with
   * {@link Ending.NotStarted}.
   *
   * @param launch what to run
   * @param ended called exactly once, on a thread of the executor's own, when nothing of the
   *     attempt is left running
   */
  Execution start(Launch launch, Consumer<Ending> ended);

  /**
   * Ends everything that a former life of this node's agent left running, and returns when it is
   * gone. Called once, before the first {@link #start}.
   *
   * @param node this node; processes of other nodes on the same machine are not touched
   * @return how many processes were ended
   */
  int endRemains(NodeId node);

  /** A running attempt. */
  interface Execution {
    /**
     * Asks everything the attempt started to end, and ends it by force after the grace. Returns at
     * once; calling it again does nothing.
     *
     * @param grace time between asking and force
     */
    void stop(Duration grace);
  }

  /**
   * What to run and where.
   *
   * @param attempt which attempt
   * @param node the node it runs on; with the attempt it marks every process in its environment
   * @param arguments program and arguments, nothing left to replace
   * @param environment variables added to the agent's own
   * @param folder the attempt's own folder; exists
   * @param workingFolder where the program starts
   * @param input file that becomes standard input; empty for none
   * @param output file that standard output is written to
   * @param outputLimit most bytes of standard output; more ends the attempt
   * @param errors file that standard error is written to
   * @param errorsLimit most bytes of standard error that are kept; more is discarded
   * @param timeLimit longest run
   * @param grace time between asking and force when the time limit or the output limit is reached
   */
  record Launch(
      AttemptId attempt,
      NodeId node,
      List<String> arguments,
      SortedMap<String, String> environment,
      Path folder,
      Path workingFolder,
      Optional<Path> input,
      Path output,
      long outputLimit,
      Path errors,
      long errorsLimit,
      Duration timeLimit,
      Duration grace) {
    /** Copies and checks. */
    public Launch {
      Objects.requireNonNull(attempt, "attempt");
      Objects.requireNonNull(node, "node");
      arguments = List.copyOf(arguments);
      environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
      Objects.requireNonNull(folder, "folder");
      Objects.requireNonNull(workingFolder, "workingFolder");
      Objects.requireNonNull(input, "input");
      Objects.requireNonNull(output, "output");
      Objects.requireNonNull(errors, "errors");
      Objects.requireNonNull(timeLimit, "timeLimit");
      Objects.requireNonNull(grace, "grace");
    }
  }

  /** How an attempt ended. */
  sealed interface Ending {
    /**
     * The program ended by itself.
     *
     * @param code its exit code, 0 to 255
     */
    record Exited(int code) implements Ending {}

    /**
     * The program was ended by a signal that Weft did not send.
     *
     * @param signal number of the signal
     */
    record Signalled(int signal) implements Ending {}

    /** It was stopped as asked. */
    record Stopped() implements Ending {}

    /**
     * It ran longer than allowed and was ended.
     *
     * @param limit what was allowed
     */
    record TimedOut(Duration limit) implements Ending {}

    /**
     * It wrote more to its standard output than allowed and was ended.
     *
     * @param limit what was allowed, in bytes
     */
    record TooMuchOutput(long limit) implements Ending {}

    /**
     * It could not be started, or its output could not be written.
     *
     * @param reason in plain words
     */
    record NotStarted(String reason) implements Ending {}
  }
}
