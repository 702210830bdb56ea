package dev.weft.shell.command;

import dev.weft.core.job.BufferStatus;
import dev.weft.shell.render.BufferReport;
import dev.weft.shell.render.Json;
import java.io.IOException;
import picocli.CommandLine;

/** Shows the buffer pool. */
@CommandLine.Command(
    name = "buffer",
    header = "Show the buffer pool: how many tasks may be in flight, and why.",
    description = {
      "When fewer slots are occupied than the threshold, a traversal fills every empty one. After"
          + " each window the pool grows if it was traversed more often than U, and shrinks if"
          + " less often than L."
    },
    footer = {"", "Example:", "  weft buffer --json"})
final class Buffer extends Report {
  @Override
  public int run(Invocation invocation) throws CommandException, IOException {
    BufferStatus buffer = invocation.services().jobs().buffer();
    if (json()) {
      Json.write(
          invocation.output(), json -> json.object(fields -> BufferReport.json(fields, buffer)));
      return ExitCode.DONE;
    }
    Display display = invocation.display().get();
    invocation
        .output()
        .print(BufferReport.text(buffer, invocation.now(), display.zone(), display.ansi()));
    return ExitCode.DONE;
  }
}
