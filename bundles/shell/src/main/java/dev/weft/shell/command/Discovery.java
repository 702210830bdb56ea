package dev.weft.shell.command;

import dev.weft.core.bus.BusStatus;
import dev.weft.shell.render.BusReport;
import dev.weft.shell.render.Json;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows what discovery does. */
@CommandLine.Command(
    name = "discovery",
    header = "Show what discovery sent, received and dropped, and why, per interface.",
    footer = {"", "Example:", "  weft discovery --lines 32"})
final class Discovery extends Report {
  private static final int MOST_LINES = 32;

  @Option(
      names = "--lines",
      paramLabel = "NUMBER",
      defaultValue = "8",
      description = "Latest lines to show per interface, 0 to 32 (default ${DEFAULT-VALUE}).")
  private int lines;

  @Spec private CommandSpec spec;

  @Override
  public int run(Invocation invocation) throws CommandException, IOException {
    if (lines < 0 || lines > MOST_LINES) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--lines must be 0 to " + MOST_LINES);
    }
    BusStatus status = invocation.services().bus().status();
    if (json()) {
      Json.write(
          invocation.output(), json -> json.object(fields -> BusReport.json(fields, status)));
    } else {
      Display display = invocation.display().get();
      invocation
          .output()
          .print(
              BusReport.discovery(status, lines, invocation.now(), display.zone(), display.ansi()));
    }
    return ExitCode.DONE;
  }
}
