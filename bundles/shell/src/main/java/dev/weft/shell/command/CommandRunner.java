package dev.weft.shell.command;

import java.io.IOException;
import java.util.List;
import picocli.CommandLine;

/** Runs command lines. Stateless, thread-safe. */
public final class CommandRunner {
  private CommandRunner() {}

  /**
   * Runs a command line and prints what went wrong.
   *
   * @return exit code
   */
  public static int run(List<String> arguments, Invocation invocation) throws IOException {
    try {
      return runOrThrow(arguments, invocation);
    } catch (CommandException e) {
      if (!e.getMessage().isEmpty()) {
        invocation.output().flush();
        invocation.say(CommandTree.PROGRAM + ": " + e.getMessage());
      }
      return e.exitCode();
    } catch (InterruptedException e) {
      return ExitCode.INTERRUPTED;
    }
  }

  /**
   * Runs a command line.
   *
   * @return exit code
   * @throws CommandException if it is wrong or cannot do what was asked
   */
  public static int runOrThrow(List<String> arguments, Invocation invocation)
      throws CommandException, InterruptedException, IOException {
    return runParsed(CommandTree.parse(arguments), invocation);
  }

  /** Runs a command line that was read already. */
  public static int runParsed(CommandTree.Parsed parsed, Invocation invocation)
      throws CommandException, InterruptedException, IOException {
    try {
      if (parsed.command().isHelpWanted()) {
        invocation.output().print(CommandTree.usage(parsed.line(), invocation.display().get()));
        return ExitCode.DONE;
      }
      return parsed.command().run(invocation);
    } catch (CommandLine.ParameterException e) {
      throw CommandTree.usageError(e);
    } finally {
      invocation.output().flush();
      invocation.errors().flush();
    }
  }
}
