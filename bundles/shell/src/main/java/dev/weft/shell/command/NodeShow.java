package dev.weft.shell.command;

import dev.weft.api.NodeId;
import dev.weft.core.job.DrainStatus;
import dev.weft.core.resources.NodeStatus;
import dev.weft.shell.render.Json;
import dev.weft.shell.render.NodeReport;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** Shows a node. */
@CommandLine.Command(
    name = "show",
    header = "Show a node: resources, devices, labels, age of its report.",
    footer = {"", "Example:", "  weft node show 9f8e7d6c"})
final class NodeShow extends Report {
  @Parameters(paramLabel = "ID", description = "Node id, the first digits of it, or its name.")
  private String id = "";

  @Override
  public int run(Invocation invocation) throws CommandException, IOException {
    NodeStatus node = Prefixes.node(invocation.services().resources(), id);
    Map<NodeId, DrainStatus> drains = Drains.of(invocation.services(), List.of(node));
    if (json()) {
      Json.write(
          invocation.output(),
          json -> json.object(fields -> NodeReport.json(fields, node, drains)));
    } else {
      Display display = invocation.display().get();
      invocation
          .output()
          .print(NodeReport.show(node, drains, invocation.now(), display.zone(), display.ansi()));
    }
    return ExitCode.DONE;
  }
}
