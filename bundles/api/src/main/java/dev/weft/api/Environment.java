package dev.weft.api;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * An execution environment: the ordinary operating system or one kind of trusted execution
 * environment.
 *
 * @param name lower-case letters, digits and hyphens, at most 20 characters
 */
public record Environment(String name) implements Comparable<Environment> {
  // First, because the constants below are checked against it.
  private static final Pattern FORM = Pattern.compile("[a-z][a-z0-9-]{0,19}");

  /** The ordinary operating system. */
  public static final Environment REE = new Environment("ree");

  /** Checks the form of the name. */
  public Environment {
    Objects.requireNonNull(name, "name");
    if (!FORM.matcher(name).matches()) {
      throw new IllegalArgumentException("not an execution environment: '" + name + "'");
    }
  }

  @Override
  public int compareTo(Environment other) {
    return name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
