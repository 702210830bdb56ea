package dev.weft.shell.command;

/**
 * A command cannot do what was asked. The message says what happened and what to do next, and is
 * all that its user sees.
 */
public final class CommandException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  /** Ends with exit code 1. */
  public CommandException(String message) {
    this(message, ExitCode.ERROR);
  }

  /**
   * Ends with an exit code.
   *
   * @param message empty if all is said
   */
  public CommandException(String message, int exitCode) {
    super(message);
    this.exitCode = exitCode;
  }

  /** The exit code. */
  public int exitCode() {
    return exitCode;
  }

  /** The message alone: Gogo shows what this returns, and a class name helps no user. */
  @Override
  @SuppressWarnings("OverrideThrowableToString")
  public String toString() {
    return getMessage().isEmpty() ? "exit code " + exitCode : getMessage();
  }
}
