package dev.weft.shell.command;

import dev.weft.api.AttemptId;
import dev.weft.core.job.DrainStatus;
import dev.weft.core.job.JobService;
import dev.weft.core.resources.NodeStatus;
import dev.weft.shell.render.DrainReport;
import dev.weft.shell.render.Json;
import dev.weft.shell.render.Text;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Empties a node. */
@CommandLine.Command(
    name = "drain",
    header = "Empty a node: it gets no more tasks, what it runs may end until a deadline.",
    description = {
      "What is left at the deadline is withdrawn and tried elsewhere. The node then stays without"
          + " tasks until: weft node eligibility ID --enable",
      "Follows until the node is empty, with a line for each try that is left. Ctrl-C stops"
          + " following, not the drain.",
      "Exit code: 0 the node is empty, or the drain has begun or ended as asked; 1 error;"
          + " 130 interrupted."
    },
    footer = {
      "",
      "Examples:",
      "  weft node drain 9f8e7d6c --deadline 30m",
      "  weft node drain 9f8e7d6c --stop"
    })
final class NodeDrain extends Report {
  private static final Duration DEFAULT_DEADLINE = Duration.ofHours(1);
  private static final long LOOK_MILLIS = 250;

  @Parameters(paramLabel = "ID", description = "Node id, the first digits of it, or its name.")
  private String id = "";

  @Option(
      names = "--deadline",
      paramLabel = "DURATION",
      converter = DurationReader.class,
      description = "How long tasks may go on, 0s to 30d (default 1h).")
  private Optional<Duration> deadline = Optional.empty();

  @Option(names = "--now", description = "Withdraw what runs at once.")
  private boolean now;

  @Option(names = "--detach", description = "Return at once.")
  private boolean detach;

  @Option(
      names = "--stop",
      description = "End a drain: nothing more is withdrawn, the node may get tasks again.")
  private boolean stop;

  @Spec private CommandSpec spec;

  @Override
  public int run(Invocation invocation) throws CommandException, InterruptedException, IOException {
    if (stop && (now || detach || deadline.isPresent())) {
      throw new CommandLine.ParameterException(spec.commandLine(), "--stop stands alone");
    }
    if (now && deadline.isPresent()) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "give --now or --deadline, not both");
    }
    JobService jobs = invocation.services().jobs();
    NodeStatus node = Prefixes.node(invocation.services().resources(), id);
    if (stop) {
      return stop(invocation, jobs, node);
    }
    Duration patience = now ? Duration.ZERO : deadline.orElse(DEFAULT_DEADLINE);
    if (!jobs.drain(node.id(), patience)) {
      throw new CommandException(
          "node " + label(node) + " is not known any more: 'weft node list' shows all");
    }
    DrainStatus begun = look(jobs, node);
    if (detach) {
      report(invocation, node, begun);
      return ExitCode.DONE;
    }
    try {
      report(invocation, node, follow(invocation, jobs, node, begun));
      return ExitCode.DONE;
    } catch (InterruptedException e) {
      invocation.say(
          "The drain of node %s goes on; see it with: weft node show %s, end it with: weft node drain %s --stop"
              .formatted(label(node), node.id().shortForm(), node.id().shortForm()));
      throw e;
    }
  }

  private int stop(Invocation invocation, JobService jobs, NodeStatus node)
      throws CommandException, IOException {
    if (jobs.drain(node.id()).isEmpty()) {
      throw new CommandException(
          "node %s is not drained; if it gets no tasks: weft node eligibility %s --enable"
              .formatted(label(node), node.id().shortForm()));
    }
    jobs.endDrain(node.id());
    if (json()) {
      printJson(invocation, node, Optional.empty());
    } else {
      invocation.output().print("node " + label(node) + " may get tasks again\n");
    }
    return ExitCode.DONE;
  }

  private DrainStatus follow(
      Invocation invocation, JobService jobs, NodeStatus node, DrainStatus begun)
      throws CommandException, InterruptedException {
    DrainStatus drain = begun;
    Map<AttemptId, String> shown = new LinkedHashMap<>();
    invocation.say("node " + label(node) + ": " + line(invocation, drain));
    while (true) {
      show(invocation, drain, shown);
      if (drain.isDone()) {
        return drain;
      }
      pause();
      drain = look(jobs, node);
    }
  }

  /** A line for each try that is new, does something else than before, or is over. */
  private static void show(Invocation invocation, DrainStatus drain, Map<AttemptId, String> shown) {
    Map<AttemptId, String> left = new LinkedHashMap<>();
    for (DrainStatus.Left each : drain.left()) {
      left.put(each.attempt(), DrainReport.left(each));
    }
    shown.keySet().stream()
        .filter(attempt -> !left.containsKey(attempt))
        .forEach(attempt -> invocation.say("  " + attempt + ": over"));
    left.entrySet().stream()
        .filter(entry -> !entry.getValue().equals(shown.get(entry.getKey())))
        .forEach(entry -> invocation.say("  " + entry.getValue()));
    shown.clear();
    shown.putAll(left);
  }

  private static DrainStatus look(JobService jobs, NodeStatus node) throws CommandException {
    return jobs.drain(node.id())
        .orElseThrow(
            () ->
                new CommandException(
                    "the drain of node "
                        + label(node)
                        + " was ended by somebody else, or the node is gone: see it with weft node"
                        + " show "
                        + node.id().shortForm()));
  }

  private void report(Invocation invocation, NodeStatus node, DrainStatus drain)
      throws IOException {
    if (json()) {
      printJson(invocation, node, Optional.of(drain));
    } else {
      invocation.output().print("node " + label(node) + ": " + line(invocation, drain) + "\n");
    }
  }

  private static void printJson(Invocation invocation, NodeStatus node, Optional<DrainStatus> drain)
      throws IOException {
    Json.write(
        invocation.output(),
        json ->
            json.object(
                fields -> {
                  fields.field("id", node.id().hex()).field("name", node.name());
                  DrainReport.json(fields, drain);
                }));
  }

  private static String line(Invocation invocation, DrainStatus drain) {
    return DrainReport.line(drain, invocation.now(), invocation.display().get().zone());
  }

  private static String label(NodeStatus node) {
    return Text.clean(node.name() + " (" + node.id().shortForm() + ")");
  }

  // Waits, and can be interrupted.
  private static void pause() throws InterruptedException {
    boolean none = new CountDownLatch(1).await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
    assert !none;
  }
}
