package dev.weft.launcher;

import java.util.Arrays;

/** What one process is. */
enum Profile {
  /** A managing device. */
  MANAGER("manager", "manager", "manager"),
  /** A node that runs tasks. */
  AGENT("agent", "agent", "agent"),
  /** Both in one framework (E6). */
  ALL_IN_ONE("all-in-one", "manager,agent", "manager");

  private final String title;
  private final String roles;
  private final String dataFolder;

  Profile(String title, String roles, String dataFolder) {
    this.title = title;
    this.roles = roles;
    this.dataFolder = dataFolder;
  }

  static Profile named(String name) throws LaunchException {
    return Arrays.stream(values())
        .filter(profile -> profile.title.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new LaunchException(
                    LaunchException.ERROR, "'" + name + "' is not a profile\n" + Arguments.USAGE));
  }

  /** Its name on the command line and in features/. */
  String title() {
    return title;
  }

  /** Its roles, as bundles read them. */
  String roles() {
    return roles;
  }

  /** Name of its folder in the default data directory. */
  String dataFolder() {
    return dataFolder;
  }
}
