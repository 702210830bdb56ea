package dev.weft.api;

import java.util.Objects;

/**
 * An error as data, fit to cross the bus and to be shown.
 *
 * @param code stable name for programs, such as {@code input.vanished}
 * @param category whose fault it is
 * @param message for people: what happened and what to do next; longer ones are cut to 2,000
 *     characters
 * @param retry whether the same thing tried again may succeed
 */
public record Fault(String code, Category category, String message, boolean retry) {
  private static final int MAXIMUM_MESSAGE = 2_000;

  /** Whose fault an error is. */
  public enum Category {
    /** What was asked for is wrong. */
    USER,
    /** Weft itself failed. */
    INTERNAL,
    /** Something needed is used up or missing. */
    RESOURCES,
    /** A device, network or program outside Weft failed. */
    EXTERNAL
  }

  /** Checks, and cuts a message that is too long. */
  public Fault {
    Objects.requireNonNull(code, "code");
    Objects.requireNonNull(category, "category");
    Objects.requireNonNull(message, "message");
    if (message.length() > MAXIMUM_MESSAGE) {
      message = message.substring(0, MAXIMUM_MESSAGE);
    }
  }

  @Override
  public String toString() {
    return message + " [" + code + "]";
  }
}
