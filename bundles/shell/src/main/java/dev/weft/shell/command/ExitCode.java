package dev.weft.shell.command;

/** Exit codes of every command. */
public final class ExitCode {
  /** It did what was asked. */
  public static final int DONE = 0;

  /** It did not, the usage was wrong, or the job failed. */
  public static final int ERROR = 1;

  /** The job is accepted, but no node can take a task of it now. */
  public static final int NOT_PLACED = 2;

  /** Its user interrupted it: 128 and the number of SIGINT. */
  public static final int INTERRUPTED = 130;

  private ExitCode() {}
}
