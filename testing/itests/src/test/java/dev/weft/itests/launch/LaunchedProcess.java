package dev.weft.itests.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs {@code bin/weft} of the assembled distribution. */
final class LaunchedProcess {
  /** The assembled distribution. */
  static final Path HOME =
      Path.of("../../distribution/archive/target/weft").toAbsolutePath().normalize();

  private static final long LIMIT_SECONDS = 30;

  private LaunchedProcess() {}

  /**
   * What a process gave.
   *
   * @param exitCode its exit code
   * @param output all that it printed
   */
  record Result(int exitCode, String output) {}

  static Process start(String... arguments) throws IOException {
    return startFrom(HOME, arguments);
  }

  private static Process startFrom(Path home, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/weft").toString()));
    command.addAll(Arrays.asList(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    return process;
  }

  /** Runs it to its end. */
  static Result run(String... arguments) throws Exception {
    return runFrom(HOME, arguments);
  }

  /** Runs that of another installation to its end. */
  static Result runFrom(Path home, String... arguments) throws Exception {
    Process process = startFrom(home, arguments);
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("did not end: " + output);
      }
      return new Result(process.exitValue(), output);
    } finally {
      process.destroyForcibly();
    }
  }
}
