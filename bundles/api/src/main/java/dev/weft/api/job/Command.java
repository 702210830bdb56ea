package dev.weft.api.job;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A program and its arguments. In every argument and environment value, {@code {input}}, {@code
 * {index}}, {@code {from}}, {@code {to}} and {@code {step}} stand for those of the shard.
 *
 * @param arguments the program and its arguments, at least one; no shell looks at them
 * @param environment variables added to the node's own
 * @param folder working folder: absolute, or relative to the attempt's own folder; empty for that
 *     folder itself
 * @param kind which kind of executor runs it ({@link dev.weft.api.execution.Executor#KIND})
 */
public record Command(
    List<String> arguments,
    SortedMap<String, String> environment,
    Optional<String> folder,
    String kind) {
  /** Kind of a command that is a program of the operating system. */
  public static final String PROCESS = "process";

  /**
   * Kind of a command that does nothing and succeeds at once, within the agent: to see what
   * dispatching itself costs.
   */
  public static final String NO_OPERATION = "noop";

  /** Longest name of a kind. */
  public static final int MAXIMUM_KIND = 32;

  /** Most arguments of a command. */
  public static final int MAXIMUM_ARGUMENTS = 256;

  /** Most environment variables of a command. */
  public static final int MAXIMUM_VARIABLES = 128;

  /** Most bytes of arguments and environment together; a command must fit one message. */
  public static final int MAXIMUM_BYTES = 16_384;

  /** Copies and checks. */
  public Command {
    arguments = List.copyOf(arguments);
    environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
    Objects.requireNonNull(folder, "folder");
    if (kind.isEmpty() || kind.length() > MAXIMUM_KIND) {
      throw new IllegalArgumentException("a kind has 1 to " + MAXIMUM_KIND + " characters");
    }
    if (arguments.isEmpty()) {
      throw new IllegalArgumentException("a command needs at least a program");
    }
    if (arguments.size() > MAXIMUM_ARGUMENTS || environment.size() > MAXIMUM_VARIABLES) {
      throw new IllegalArgumentException(
          "at most " + MAXIMUM_ARGUMENTS + " arguments and " + MAXIMUM_VARIABLES + " variables");
    }
    int bytes = bytes(arguments, environment);
    if (bytes > MAXIMUM_BYTES) {
      throw new IllegalArgumentException(
          "arguments and environment have "
              + bytes
              + " bytes; at most "
              + MAXIMUM_BYTES
              + " fit, put long text into a file");
    }
  }

  /** A program of the operating system. */
  public Command(
      List<String> arguments, SortedMap<String, String> environment, Optional<String> folder) {
    this(arguments, environment, folder, PROCESS);
  }

  /** The length of arguments and environment together, in UTF-8. */
  public static int bytes(List<String> arguments, Map<String, String> environment) {
    Stream<String> variables =
        environment.entrySet().stream()
            .flatMap(variable -> Stream.of(variable.getKey(), variable.getValue()));
    return Stream.concat(arguments.stream(), variables)
        .mapToInt(text -> text.getBytes(StandardCharsets.UTF_8).length)
        .sum();
  }
}
