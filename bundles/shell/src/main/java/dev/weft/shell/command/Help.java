package dev.weft.shell.command;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows how commands are used. Runs in the client. */
@CommandLine.Command(
    name = "help",
    header = "Show how a command is used.",
    footer = {"", "Example:", "  weft help job run"})
final class Help extends Command {
  @Parameters(arity = "0..2", paramLabel = "COMMAND", description = "Such as job run.")
  private List<String> names = new ArrayList<>();

  @Spec private CommandSpec spec;

  @Override
  public int run(Invocation invocation) {
    CommandLine found = spec.parent().commandLine();
    for (String name : names) {
      CommandLine next = found.getSubcommands().get(name);
      if (next == null) {
        throw new CommandLine.UnmatchedArgumentException(found, List.of(name));
      }
      found = next;
    }
    invocation.output().print(CommandTree.usage(found, invocation.display().get()));
    return ExitCode.DONE;
  }
}
