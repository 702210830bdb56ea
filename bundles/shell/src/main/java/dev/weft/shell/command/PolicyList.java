package dev.weft.shell.command;

import dev.weft.shell.render.Json;
import dev.weft.shell.render.Table;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;

/** Lists policies. */
@CommandLine.Command(
    name = "list",
    header = "List placement and split policies, and which of them is used.",
    footer = {"", "Example:", "  weft policy list"})
final class PolicyList extends Report {
  @Override
  public int run(Invocation invocation) throws CommandException, IOException {
    List<Services.Policy> policies = invocation.services().policies();
    if (json()) {
      Json.write(
          invocation.output(),
          json -> json.object(fields -> fields.array("policies", array -> json(array, policies))));
      return ExitCode.DONE;
    }
    if (policies.isEmpty()) {
      invocation.say("No policy is installed: nothing is split or placed");
      return ExitCode.DONE;
    }
    Table table = Table.of("KIND", "NAME", "VERSION", ">RANKING", "USED", "BUNDLE");
    Set<String> kinds = new HashSet<>();
    for (Services.Policy policy : policies) {
      table.row(
          policy.kind(),
          policy.name(),
          policy.version(),
          Integer.toString(policy.ranking()),
          kinds.add(policy.kind()) ? "yes" : "no",
          policy.bundle());
    }
    invocation.output().print(table.render(invocation.display().get().ansi()));
    return ExitCode.DONE;
  }

  private static void json(Json json, List<Services.Policy> policies) throws IOException {
    Set<String> kinds = new HashSet<>();
    for (Services.Policy policy : policies) {
      boolean used = kinds.add(policy.kind());
      json.object(
          fields ->
              fields
                  .field("kind", policy.kind())
                  .field("name", policy.name())
                  .field("version", policy.version())
                  .field("ranking", policy.ranking())
                  .field("used", used)
                  .field("bundle", policy.bundle()));
    }
  }
}
