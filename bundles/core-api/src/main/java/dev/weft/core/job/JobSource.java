package dev.weft.core.job;

import java.nio.file.Path;
import java.util.Objects;

/**
 * A job file as its user gave it.
 *
 * @param name what to call it in messages: a file name or {@code -}
 * @param text its content, at most {@link #MAXIMUM_CHARACTERS}
 * @param folder folder that relative paths in it start from; absolute
 * @param submitter who submits it: the name of a user, 1 to {@link #MAXIMUM_SUBMITTER} characters;
 *     users of the same priority share the nodes fairly
 */
public record JobSource(String name, String text, Path folder, String submitter) {
  /** Longest job file. */
  public static final int MAXIMUM_CHARACTERS = 262_144;

  /** Longest name of a submitter. */
  public static final int MAXIMUM_SUBMITTER = 64;

  /** Checks. */
  public JobSource {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(text, "text");
    if (!folder.isAbsolute()) {
      throw new IllegalArgumentException("folder must be absolute: " + folder);
    }
    if (submitter.isEmpty() || submitter.length() > MAXIMUM_SUBMITTER) {
      throw new IllegalArgumentException(
          "a submitter's name has 1 to " + MAXIMUM_SUBMITTER + " characters");
    }
  }
}
