package dev.weft.launcher;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What the launcher was asked for.
 *
 * @param profile what to run
 * @param data the data directory
 * @param etc the folder with the configuration
 */
record Arguments(Profile profile, Path data, Path etc) {
  static final String USAGE =
      """
      usage: weft manager|agent|all-in-one [--data DIR] [--etc DIR]
      Starts a node in the foreground; stop it with Ctrl-C or SIGTERM.
        manager     finds agents, takes jobs and gives their tasks to agents
        agent       runs tasks for a manager
        all-in-one  both in one process
        --data DIR  where everything is kept (default: WEFT_DATA, else ~/.local/share/weft/manager,
                    or .../agent for an agent)
        --etc DIR   folder with the configuration, with the same files as etc/ of the installation
                    (the default); what is not in there keeps its default
      Several nodes on one machine need a data folder each.
      Example: weft agent --data /var/lib/weft/agent""";

  /** Reads the command line; empty if help is asked for. */
  static Optional<Arguments> parse(String[] arguments, Path home, Map<String, String> environment)
      throws LaunchException {
    if (arguments.length == 0) {
      throw new LaunchException(LaunchException.ERROR, USAGE);
    }
    Path data = null;
    Path etc = home.resolve("etc");
    for (int i = 1; i < arguments.length; i++) {
      String option = arguments[i];
      if (option.equals("--help") || option.equals("-h")) {
        return Optional.empty();
      }
      if (!option.equals("--data") && !option.equals("--etc")) {
        throw new LaunchException(
            LaunchException.ERROR, "unknown option '" + option + "'\n" + USAGE);
      }
      if (++i == arguments.length) {
        throw new LaunchException(LaunchException.ERROR, option + " needs a folder\n" + USAGE);
      }
      Path folder = folder(option, arguments[i]);
      if (option.equals("--data")) {
        data = folder;
      } else {
        etc = folder;
      }
    }
    if (arguments[0].equals("--help") || arguments[0].equals("-h")) {
      return Optional.empty();
    }
    Profile profile = Profile.named(arguments[0]);
    return Optional.of(
        new Arguments(profile, data == null ? defaultData(profile, environment) : data, etc));
  }

  /** The framework takes a list of folders with commas between them. */
  private static Path folder(String option, String given) throws LaunchException {
    try {
      Path folder = Path.of(given).toAbsolutePath().normalize();
      if (!folder.toString().contains(",")) {
        return folder;
      }
    } catch (InvalidPathException e) {
      throw new LaunchException(
          LaunchException.ERROR,
          option
              + " "
              + given
              + ": expected a path that the locale can express; set LC_ALL=C.UTF-8");
    }
    throw new LaunchException(
        LaunchException.ERROR, option + " " + given + ": expected a path without commas");
  }

  private static Path defaultData(Profile profile, Map<String, String> environment)
      throws LaunchException {
    String chosen = environment.getOrDefault("WEFT_DATA", "");
    if (!chosen.isEmpty()) {
      return folder("WEFT_DATA", chosen);
    }
    String share = environment.getOrDefault("XDG_DATA_HOME", "");
    Path base =
        share.isEmpty()
            ? Path.of(environment.getOrDefault("HOME", "/tmp"), ".local", "share")
            : Path.of(share);
    return base.resolve("weft").resolve(profile.dataFolder()).toAbsolutePath().normalize();
  }
}
