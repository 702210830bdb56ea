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

/** Lists nodes. */
@CommandLine.Command(
    name = "list",
    header = "List nodes: what they offer, what is given, free and really used.",
    description = "GIVEN stands before what is offered. CPU in cores, used as load average.",
    footer = {"", "Example:", "  weft node list"})
final class NodeList extends Report {
  @Override
  public int run(Invocation invocation) throws CommandException, IOException {
    List<NodeStatus> nodes = invocation.services().resources().nodes();
    Map<NodeId, DrainStatus> drains = Drains.of(invocation.services(), nodes);
    if (json()) {
      Json.write(
          invocation.output(),
          json ->
              json.object(
                  fields ->
                      fields.array(
                          "nodes",
                          array -> {
                            for (NodeStatus node : nodes) {
                              array.object(each -> NodeReport.json(each, node, drains));
                            }
                          })));
    } else if (nodes.isEmpty()) {
      invocation.say(
          "No node is known: start one with 'weft agent', see what discovery does with"
              + " 'weft discovery'");
    } else {
      invocation
          .output()
          .print(
              NodeReport.list(nodes, drains, invocation.now(), invocation.display().get().ansi()));
    }
    return ExitCode.DONE;
  }
}
