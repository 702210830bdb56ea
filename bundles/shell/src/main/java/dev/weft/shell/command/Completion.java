package dev.weft.shell.command;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** Prints a completion script. Runs in the client. */
@CommandLine.Command(
    name = "completion",
    header = "Print a completion script for a command shell.",
    footer = {"", "Example:", "  source <(weft completion bash)"})
final class Completion extends Command {
  /** Shells with a completion script. */
  enum CommandShell {
    bash
  }

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
  private CommandShell commandShell;

  @Override
  public int run(Invocation invocation) {
    switch (commandShell) {
      case bash -> invocation.output().print(script());
    }
    return ExitCode.DONE;
  }

  /** The script for bash. */
  static String script() {
    return AutoComplete.bash(CommandTree.PROGRAM, CommandTree.create());
  }
}
