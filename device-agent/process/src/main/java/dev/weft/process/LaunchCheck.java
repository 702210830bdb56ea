package dev.weft.process;

import dev.weft.api.execution.Executor.Launch;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds a program, or what would keep it from starting, to say it in plain words. */
final class LaunchCheck {
  // What execvp(3) takes where the variable is missing.
  private static final String DEFAULT_PATH = "/bin:/usr/bin";
  // What setsid(1) of util-linux and of BusyBox ends with after a failed execvp(3).
  private static final int CANNOT_EXECUTE = 126;
  private static final int NOT_FOUND = 127;
  private static final String SETSID = "setsid: ";

  private LaunchCheck() {}

  /** What is found. */
  sealed interface Found {
    /** The program's file; nothing speaks against starting it. */
    record Program(Path file) implements Found {}

    /** Why it cannot be started. */
    record Problem(String reason) implements Found {}
  }

  private static Found problem(String reason) {
    return new Found.Problem(reason);
  }

  /**
   * Finds what is to be run.
   *
   * @param path the task's {@code PATH}, if it has one
   */
  static Found find(Launch launch, Optional<String> path) {
    if (launch.arguments().isEmpty() || launch.arguments().get(0).isEmpty()) {
      return problem("no program is named");
    }
    String program = launch.arguments().get(0);
    if (texts(launch).anyMatch(text -> text.indexOf('\0') >= 0)) {
      return problem("cannot start '" + program + "': a text for it holds a null character");
    }
    Optional<String> wrong = misnamed(launch);
    if (wrong.isPresent()) {
      return problem("the environment cannot be set: '" + wrong.get() + "' cannot be a variable");
    }
    Optional<String> strange = notEncodable(launch);
    if (strange.isPresent()) {
      return problem(
          "cannot start '"
              + program
              + "': '"
              + strange.get()
              + "' cannot be written in this agent's encoding "
              + Charset.defaultCharset()
              + "; start the agent with LC_ALL=C.UTF-8");
    }
    Path folder = launch.workingFolder();
    if (!Files.isDirectory(folder)) {
      return problem("cannot start '" + program + "': no working folder " + folder);
    }
    if (launch.input().isPresent() && !Files.isReadable(launch.input().get())) {
      return problem(
          "cannot start '" + program + "': cannot read the input " + launch.input().get());
    }
    try {
      return program.contains("/")
          ? named(program, folder.resolve(program))
          : searched(program, folder, path.orElse(DEFAULT_PATH));
    } catch (InvalidPathException e) {
      return problem("cannot start '" + program + "': not a valid name for a program");
    }
  }

  private static Stream<String> texts(Launch launch) {
    return Stream.concat(
        launch.arguments().stream(),
        launch.environment().entrySet().stream()
            .flatMap(variable -> Stream.of(variable.getKey(), variable.getValue())));
  }

  private static Optional<String> misnamed(Launch launch) {
    return launch.environment().keySet().stream()
        .filter(name -> name.isEmpty() || name.indexOf('=') >= 0)
        .findFirst();
  }

  /** Without this check Java would pass a question mark in place of each such character. */
  private static Optional<String> notEncodable(Launch launch) {
    CharsetEncoder encoder = Charset.defaultCharset().newEncoder();
    return texts(launch).filter(text -> !encoder.canEncode(text)).findFirst();
  }

  /**
   * What {@code setsid} said about a program that the system refused to start, such as a script
   * whose interpreter is absent.
   *
   * @param code exit code
   * @param errors what is in the file of standard error
   * @return why it was not started; empty if the program itself ended so
   */
  static Optional<String> refusal(String program, int code, String errors) {
    boolean isSaid =
        (code == CANNOT_EXECUTE || code == NOT_FOUND)
            && errors.startsWith(SETSID)
            && errors.indexOf('\n') == errors.length() - 1;
    return isSaid
        ? Optional.of(
            "cannot start '" + program + "': " + errors.substring(SETSID.length()).strip())
        : Optional.empty();
  }

  private static Found named(String program, Path file) {
    if (!Files.exists(file)) {
      return problem("no such program: '" + program + "'");
    }
    if (Files.isDirectory(file)) {
      return problem("cannot start '" + program + "': it is a folder");
    }
    return Files.isExecutable(file)
        ? new Found.Program(file)
        : problem("cannot start '" + program + "': it may not be executed");
  }

  private static Found searched(String program, Path folder, String path) {
    boolean present = false;
    for (String part : path.split(":", -1)) {
      Path file = folder.resolve(part).resolve(program);
      if (Files.isRegularFile(file)) {
        if (Files.isExecutable(file)) {
          return new Found.Program(file);
        }
        present = true;
      }
    }
    return problem(
        present
            ? "cannot start '" + program + "': it may not be executed"
            : "no such program: '" + program + "' is not in the task's PATH " + path);
  }
}
