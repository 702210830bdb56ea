package dev.weft.shell.command;

import dev.weft.core.job.JobService;
import dev.weft.core.resources.NodeStatus;
import dev.weft.shell.render.Json;
import dev.weft.shell.render.Text;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says whether a node may get tasks. */
@CommandLine.Command(
    name = "eligibility",
    header = "Say whether a node may get tasks; what it runs goes on.",
    description = "Enabling a node that is drained ends its drain.",
    footer = {"", "Example:", "  weft node eligibility 9f8e7d6c --disable"})
final class NodeEligibility extends Report {
  @Parameters(paramLabel = "ID", description = "Node id, the first digits of it, or its name.")
  private String id = "";

  @Option(names = "--enable", description = "It may get tasks.")
  private boolean enable;

  @Option(names = "--disable", description = "It gets no more tasks.")
  private boolean disable;

  @Spec private CommandSpec spec;

  @Override
  public int run(Invocation invocation) throws CommandException, IOException {
    if (enable == disable) {
      throw new CommandLine.ParameterException(spec.commandLine(), "give --enable or --disable");
    }
    Services services = invocation.services();
    NodeStatus node = Prefixes.node(services.resources(), id);
    String label = Text.clean(node.name() + " (" + node.id().shortForm() + ")");
    if (!set(services, node)) {
      throw new CommandException(
          "node " + label + " is not known any more: 'weft node list' shows all");
    }
    if (json()) {
      Json.write(
          invocation.output(),
          json ->
              json.object(fields -> fields.field("id", node.id().hex()).field("eligible", enable)));
    } else {
      invocation
          .output()
          .print(
              "node "
                  + label
                  + (enable ? " may get tasks\n" : " gets no more tasks; what it runs goes on\n"));
    }
    return ExitCode.DONE;
  }

  /** Returns whether the node is known. */
  private boolean set(Services services, NodeStatus node) throws CommandException {
    if (enable && node.state() != NodeStatus.State.READY) {
      JobService jobs = services.jobs();
      if (jobs.drain(node.id()).isPresent()) {
        jobs.endDrain(node.id()); // else its deadline would take away what it is given now
        return true;
      }
    }
    return services.resources().eligible(node.id(), enable);
  }
}
