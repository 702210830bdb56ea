package dev.weft.testkit;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * What a test needs of the machine. Where it is missing, the test is skipped with a printed reason;
 * with the environment variable {@code WEFT_TESTS=all} it fails instead.
 */
public final class Needs {
  private static final long PROBE_SECONDS = 10;

  private Needs() {}

  /** Network namespaces: root and the {@code ip} command. */
  public static void namespaces() {
    program("ip");
    need(succeeds("unshare", "-n", "true"), "network namespaces cannot be made: this needs root");
  }

  /** A program on the path. */
  public static void program(String name) {
    boolean found =
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(folder -> new File(folder, name).canExecute());
    need(found, "the program '" + name + "' is not installed");
  }

  /** Something else, with the reason to print where it is missing. */
  public static void need(boolean present, String reason) {
    if (present) {
      return;
    }
    if ("all".equals(System.getenv("WEFT_TESTS"))) {
      fail("WEFT_TESTS=all, but " + reason);
    }
    System.out.println("skipped: " + reason);
    Assumptions.abort(reason);
  }

  private static boolean succeeds(String... command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(PROBE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
