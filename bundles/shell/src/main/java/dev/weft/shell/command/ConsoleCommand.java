package dev.weft.shell.command;

import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Opens the console of the running framework. */
@CommandLine.Command(
    name = "shell",
    header = "Open the console of the running manager, or run console commands.",
    description = {
      "Exit and Ctrl-D leave the console, the manager goes on. When standard input is not a"
          + " terminal, commands are read from it; the first that fails ends it with exit code 1."
    },
    footer = {"", "Examples:", "  weft shell", "  weft shell -c 'lb -s | grep weft'"})
public final class ConsoleCommand extends Command {
  @Option(
      names = {"-c", "--command"},
      paramLabel = "COMMANDS",
      description = "Run these console commands and leave.")
  private String commands;

  /** The console commands given; empty to read them or to be interactive. */
  public Optional<String> commands() {
    return Optional.ofNullable(commands);
  }

  @Override
  public int run(Invocation invocation) throws CommandException, InterruptedException {
    Display display = invocation.display().get();
    if (commands != null) {
      return invocation.console().run(commands);
    }
    return display.inputTerminal() && display.outputTerminal()
        ? invocation.console().interactive(display)
        : invocation.console().run(JobFileReader.STANDARD_INPUT);
  }
}
