package dev.weft.shell.command;

import dev.weft.api.Demand;
import dev.weft.api.NodeId;
import dev.weft.api.policy.Refusal;
import dev.weft.core.job.JobService;
import dev.weft.core.job.JobView;
import dev.weft.core.job.TaskView;
import dev.weft.shell.render.JobJson;
import dev.weft.shell.render.JobText;
import dev.weft.shell.render.Json;
import dev.weft.shell.render.NodeNames;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows where tasks ran and why. */
@CommandLine.Command(
    name = "why",
    header = "Show where each task ran and why, or why it waits.",
    footer = {
      "",
      "Examples:",
      "  weft job why 1a2b3c4d",
      "  weft job why 1a2b3c4d 17",
      "  weft job why 1a2b3c4d --all"
    })
final class JobWhy extends Report {
  @Parameters(index = "0", paramLabel = "ID", description = "Job id, or the first digits of it.")
  private String id = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "TASK",
      description = "Index of a task, or merge: every try of it, and each node's answer.")
  private String task;

  @Option(names = "--all", description = "Ask every node too, whether it could take a task now.")
  private boolean everyNode;

  @Override
  public int run(Invocation invocation) throws CommandException, IOException {
    JobService jobs = invocation.services().jobs();
    JobView job = Prefixes.job(jobs, id);
    List<TaskView> all = jobs.tasks(job.id());
    Optional<TaskView> one =
        task == null ? Optional.empty() : Optional.of(Tasks.find(job, all, task));
    NodeNames names = invocation.services().nodeNames();
    Map<NodeId, Optional<Refusal>> answers = everyNode ? answers(invocation, job) : Map.of();
    if (json()) {
      Json.write(
          invocation.output(),
          json ->
              json.object(
                  fields -> {
                    fields.field("id", job.id().hex());
                    JobJson.tasks(fields, one.map(List::of).orElse(all), names);
                    if (everyNode) {
                      JobJson.answers(fields, answers, names);
                    }
                  }));
      return ExitCode.DONE;
    }
    Display display = invocation.display().get();
    PrintStream output = invocation.output();
    if (one.isPresent()) {
      output.print(JobText.decisions(one.get(), names, invocation.now(), display.zone()));
    } else {
      output.print(JobText.decisions(all, display.ansi()));
      job.waiting()
          .ifPresent(
              waiting ->
                  output.print("\n" + JobText.waiting(waiting, shortages(waiting, all), names)));
    }
    if (everyNode) {
      output.print("\n" + JobText.answers(answers, names, display.ansi()));
    }
    return ExitCode.DONE;
  }

  private static Map<NodeId, Optional<Refusal>> answers(Invocation invocation, JobView job)
      throws CommandException {
    Demand demand =
        invocation
            .services()
            .jobs()
            .spec(job.id())
            .orElseThrow(
                () ->
                    new CommandException(
                        "job " + job.id() + " is not known any more: 'weft job list' shows all"))
            .demand();
    return invocation.services().resources().explain(demand);
  }

  /** What the task that waits would need more of. */
  private static String shortages(JobView.Waiting waiting, List<TaskView> tasks) {
    return tasks.stream()
        .filter(each -> each.id().index() == waiting.task())
        .findFirst()
        .flatMap(JobText::refused)
        .map(JobText::shortages)
        .orElse("");
  }
}
