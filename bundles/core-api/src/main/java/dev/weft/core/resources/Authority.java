package dev.weft.core.resources;

/**
 * Who may give a node's resources. A new leader of the same group has a higher term; a node that
 * has heard of it refuses what an earlier one gave, so the new one can count on what it is told.
 *
 * @param group name of the managers that elect one leader among them, 1 to 64 characters
 * @param term rises with every leader of the group
 */
public record Authority(String group, long term) {
  /** Longest name of a group. */
  public static final int MAXIMUM_GROUP = 64;

  /** Checks. */
  public Authority {
    if (group.isEmpty() || group.length() > MAXIMUM_GROUP) {
      throw new IllegalArgumentException(
          "a group's name has 1 to " + MAXIMUM_GROUP + " characters");
    }
  }
}
