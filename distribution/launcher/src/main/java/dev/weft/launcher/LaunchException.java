package dev.weft.launcher;

/** The start cannot go on; the message says why and what to do, the exit code tells programs. */
final class LaunchException extends Exception {
  /** Something went wrong. */
  static final int ERROR = 1;

  /** The configuration is wrong ({@code EX_CONFIG} of sysexits). */
  static final int CONFIGURATION = 78;

  private static final long serialVersionUID = 1L;

  private final int exitCode;

  LaunchException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }
}
