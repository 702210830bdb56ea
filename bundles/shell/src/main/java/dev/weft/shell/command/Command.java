package dev.weft.shell.command;

import java.io.IOException;
import picocli.CommandLine.Option;

/** A command. Its options and parameters are filled in by picocli before it runs. */
public abstract class Command {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  private boolean help;

  /** Whether its user only wants to know how it is used. */
  final boolean isHelpWanted() {
    return help;
  }

  /**
   * Runs.
   *
   * @return exit code
   * @throws CommandException if it cannot do what was asked
   * @throws InterruptedException if its user interrupts it
   * @throws IOException if a file cannot be read or its output cannot be written
   */
  public abstract int run(Invocation invocation)
      throws CommandException, InterruptedException, IOException;
}
