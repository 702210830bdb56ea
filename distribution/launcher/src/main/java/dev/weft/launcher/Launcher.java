package dev.weft.launcher;

import dev.weft.config.ConfigurationFiles;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Starts a manager, an agent or both: checks the configuration, locks the data directory, starts
 * the framework, and stops it on SIGTERM. The system property {@code weft.home} names the
 * installation.
 */
public final class Launcher {
  private Launcher() {}

  /** Runs until stopped. */
  public static void main(String[] arguments) {
    // The start of the process is known to the second only.
    Instant begin = Instant.now();
    try {
      run(arguments, begin);
    } catch (LaunchException e) {
      System.err.println("weft: " + e.getMessage());
      System.exit(e.exitCode());
    }
  }

  private static void run(String[] arguments, Instant begin) throws LaunchException {
    Path home = Path.of(System.getProperty("weft.home", ".")).toAbsolutePath().normalize();
    Optional<Arguments> parsed = Arguments.parse(arguments, home, System.getenv());
    if (parsed.isEmpty()) {
      System.out.println(Arguments.USAGE);
      return;
    }
    if (!System.getProperty("os.name").equals("Linux")) {
      throw new LaunchException(
          LaunchException.ERROR,
          "Weft runs on Linux only, this is " + System.getProperty("os.name"));
    }
    Arguments chosen = parsed.get();
    FeatureList features = FeatureList.read(home, chosen.profile().title());
    checkConfiguration(home, chosen);
    DataDirectory data = DataDirectory.open(chosen.data(), chosen.profile().dataFolder());
    RunningFramework framework =
        RunningFramework.start(home, chosen, data, data.runFolder(System.getenv()), features);
    Duration took = Duration.between(begin, Instant.now());
    System.out.printf(
        "Weft %s %s is up after %.1f s on Java %s%n  data  %s%n  log   %s%n  stop  Ctrl-C or SIGTERM%n",
        RunningFramework.version(),
        chosen.profile().title(),
        took.toMillis() / 1000.0,
        System.getProperty("java.version"),
        data.folder(),
        data.folder().resolve("log/weft.log"));
    try {
      framework.await();
    } finally {
      // Collected earlier, the lock would be given back while the process still runs.
      Reference.reachabilityFence(data);
    }
    // A thread that a library left behind must not keep the process.
    System.exit(0);
  }

  private static void checkConfiguration(Path home, Arguments chosen) throws LaunchException {
    Path etc = chosen.etc();
    if (!Files.isDirectory(etc)) {
      throw new LaunchException(
          LaunchException.CONFIGURATION,
          "there is no folder "
              + etc
              + " with a configuration; make it (it may be empty), or give another one with --etc");
    }
    try {
      List<String> problems =
          ConfigurationFiles.of(home.resolve("system"), chosen.data().resolve("deploy"))
              .problems(etc);
      if (!problems.isEmpty()) {
        throw new LaunchException(
            LaunchException.CONFIGURATION,
            "the configuration is wrong, nothing was started:\n  " + String.join("\n  ", problems));
      }
    } catch (IOException e) {
      throw new LaunchException(
          LaunchException.CONFIGURATION, "the configuration in " + etc + " cannot be read: " + e);
    }
  }
}
