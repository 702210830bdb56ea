package dev.weft.shell.command;

import dev.weft.api.bus.Role;
import dev.weft.core.bus.BusStatus;
import dev.weft.core.bus.LocalNode;
import dev.weft.core.job.JobView;
import dev.weft.core.resources.NodeStatus;
import dev.weft.shell.render.Facts;
import dev.weft.shell.render.Json;
import dev.weft.shell.render.Text;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** Shows the state of the manager. */
@CommandLine.Command(
    name = "status",
    header = "Show the manager: version, id, endpoints, warnings, policy, counts.",
    footer = {"", "Example:", "  weft status --json"})
final class Status extends Report {
  @Override
  public int run(Invocation invocation) throws CommandException, IOException {
    Services services = invocation.services();
    Snapshot now =
        new Snapshot(
            services.localNode(),
            services.bus().status(),
            services.bus().peers().size(),
            services.resources().policy(),
            count(services.resources().nodes(), NodeStatus::state),
            count(services.jobs().jobs(), JobView::state),
            Duration.between(services.started(), invocation.now()));
    if (json()) {
      Json.write(invocation.output(), json -> json.object(fields -> json(fields, services, now)));
      return ExitCode.DONE;
    }
    invocation.output().print(text(services, now));
    return ExitCode.DONE;
  }

  private record Snapshot(
      LocalNode node,
      BusStatus bus,
      int peers,
      String policy,
      Map<String, Integer> nodes,
      Map<String, Integer> jobs,
      Duration uptime) {}

  private static <T, S extends Enum<S>> Map<String, Integer> count(
      List<T> items, Function<T, S> state) {
    Map<S, Integer> counts = new TreeMap<>();
    items.forEach(item -> counts.merge(state.apply(item), 1, Integer::sum));
    Map<String, Integer> named = new LinkedHashMap<>();
    counts.forEach((key, number) -> named.put(key.name(), number));
    return named;
  }

  private static String text(Services services, Snapshot now) {
    Facts facts =
        new Facts()
            .add("Version", services.version())
            .add("Node", now.node().id().hex())
            .add("Host", now.node().hostName())
            .add("Roles", roles(now.node().roles()))
            .add("Uptime", Text.duration(now.uptime()) + ", boot " + now.node().boot())
            .add("Endpoints", String.join(", ", now.bus().endpoints()))
            .add(
                "Placement", now.policy().isEmpty() ? "no policy: nothing is placed" : now.policy())
            .add("Peers", Integer.toString(now.peers()))
            .add("Nodes", counts(now.nodes()))
            .add("Jobs", counts(now.jobs()));
    StringBuilder text = new StringBuilder(facts.render());
    for (String warning : now.bus().warnings()) {
      text.append("WARNING  ").append(Text.clean(warning)).append('\n');
    }
    return text.toString();
  }

  private static String roles(Set<Role> roles) {
    return roles.stream()
        .sorted()
        .map(role -> role.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }

  private static String counts(Map<String, Integer> counts) {
    int all = counts.values().stream().mapToInt(Integer::intValue).sum();
    String parts =
        counts.entrySet().stream()
            .map(entry -> entry.getValue() + " " + entry.getKey().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    return all + (parts.isEmpty() ? "" : ": " + parts);
  }

  private static void json(Json json, Services services, Snapshot now) throws IOException {
    json.field("version", services.version())
        .field("node", now.node().id().hex())
        .field("hostName", now.node().hostName())
        .strings("roles", now.node().roles().stream().sorted().map(Enum::name).toList())
        .field("boot", now.node().boot())
        .time("started", services.started())
        .field("uptimeSeconds", now.uptime().toSeconds())
        .strings("endpoints", now.bus().endpoints())
        .strings("warnings", now.bus().warnings())
        .field("placementPolicy", now.policy())
        .field("peers", now.peers())
        .object("nodes", fields -> counts(fields, now.nodes()))
        .object("jobs", fields -> counts(fields, now.jobs()));
  }

  private static void counts(Json json, Map<String, Integer> counts) throws IOException {
    for (var count : counts.entrySet()) {
      json.field(count.getKey(), count.getValue());
    }
  }
}
