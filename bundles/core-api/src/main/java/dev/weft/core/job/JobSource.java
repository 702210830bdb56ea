package dev.weft.core.job;

import java.nio.file.Path;
import java.util.Objects;

/**
 * A job file as its user gave it.
 *
 * @param name what to call it in messages: a file name or {@code -}
 * @param text its content, at most {@link #MAXIMUM_CHARACTERS}
 * @param folder folder that relative paths in it start from; absolute
 */
public record JobSource(String name, String text, Path folder) {
  /** Longest job file. */
  public static final int MAXIMUM_CHARACTERS = 262_144;

  /** Checks. */
  public JobSource {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(text, "text");
    if (!folder.isAbsolute()) {
      throw new IllegalArgumentException("folder must be absolute: " + folder);
    }
  }
}
