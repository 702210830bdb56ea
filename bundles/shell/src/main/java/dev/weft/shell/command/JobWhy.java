package dev.weft.shell.command;

import dev.weft.core.job.JobService;
import dev.weft.core.job.JobView;
import dev.weft.core.job.TaskView;
import dev.weft.shell.render.JobJson;
import dev.weft.shell.render.JobText;
import dev.weft.shell.render.Json;
import dev.weft.shell.render.NodeNames;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** Shows where tasks ran and why. */
@CommandLine.Command(
    name = "why",
    header = "Show where each task ran and why, or why it waits.",
    footer = {"", "Examples:", "  weft job why 1a2b3c4d", "  weft job why 1a2b3c4d 17"})
final class JobWhy extends Report {
  @Parameters(index = "0", paramLabel = "ID", description = "Job id, or the first digits of it.")
  private String id = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "TASK",
      description = "Index of a task, or merge: every try of it, and each node's answer.")
  private String task;

  @Override
  public int run(Invocation invocation) throws CommandException, IOException {
    JobService jobs = invocation.services().jobs();
    JobView job = Prefixes.job(jobs, id);
    List<TaskView> all = jobs.tasks(job.id());
    Optional<TaskView> one =
        task == null ? Optional.empty() : Optional.of(Tasks.find(job, all, task));
    NodeNames names = invocation.services().nodeNames();
    if (json()) {
      Json.write(
          invocation.output(),
          json ->
              json.object(
                  fields -> {
                    fields.field("id", job.id().hex());
                    JobJson.tasks(fields, one.map(List::of).orElse(all), names);
                  }));
      return ExitCode.DONE;
    }
    Display display = invocation.display().get();
    if (one.isPresent()) {
      invocation
          .output()
          .print(JobText.decisions(one.get(), names, invocation.now(), display.zone()));
      return ExitCode.DONE;
    }
    invocation.output().print(JobText.decisions(all, display.ansi()));
    job.waiting()
        .ifPresent(waiting -> invocation.output().print("\n" + JobText.waiting(waiting, names)));
    return ExitCode.DONE;
  }
}
