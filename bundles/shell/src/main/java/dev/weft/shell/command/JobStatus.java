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
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows a job. */
@CommandLine.Command(
    name = "status",
    header = "Show a job: state, counts, nodes, why it waits or failed.",
    footer = {"", "Example:", "  weft job status --tasks 1a2b3c4d"})
final class JobStatus extends Report {
  @Parameters(paramLabel = "ID", description = "Job id, or the first digits of it.")
  private String id = "";

  @Option(names = "--tasks", description = "Show every task too.")
  private boolean withTasks;

  @Override
  public int run(Invocation invocation) throws CommandException, IOException {
    JobService jobs = invocation.services().jobs();
    JobView job = Prefixes.job(jobs, id);
    List<TaskView> tasks = withTasks ? jobs.tasks(job.id()) : List.of();
    NodeNames names = invocation.services().nodeNames();
    if (json()) {
      Json.write(
          invocation.output(),
          json ->
              json.object(
                  fields -> {
                    JobJson.job(fields, job, names);
                    if (withTasks) {
                      JobJson.tasks(fields, tasks, names);
                    }
                  }));
      return ExitCode.DONE;
    }
    Display display = invocation.display().get();
    invocation
        .output()
        .print(JobText.status(job, names, invocation.now(), display.zone(), display.ansi()));
    if (withTasks) {
      invocation.output().print("\n" + JobText.tasks(tasks, invocation.now(), display.ansi()));
    }
    return ExitCode.DONE;
  }
}
