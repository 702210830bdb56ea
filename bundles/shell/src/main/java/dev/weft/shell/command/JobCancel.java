package dev.weft.shell.command;

import dev.weft.core.job.JobService;
import dev.weft.core.job.JobView;
import dev.weft.shell.render.Json;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** Cancels a job. */
@CommandLine.Command(
    name = "cancel",
    header = "Cancel a job: start nothing more of it, stop what runs.",
    footer = {"", "Example:", "  weft job cancel 1a2b3c4d"})
final class JobCancel extends Report {
  @Parameters(paramLabel = "ID", description = "Job id, or the first digits of it.")
  private String id = "";

  @Override
  public int run(Invocation invocation) throws CommandException, IOException {
    JobService jobs = invocation.services().jobs();
    JobView job = Prefixes.job(jobs, id);
    boolean cancelled = jobs.cancel(job.id());
    if (!cancelled) {
      String state = jobs.job(job.id()).orElse(job).state().name();
      throw new CommandException(
          "job " + job.id() + " had ended already (" + state + "); nothing was cancelled");
    }
    if (json()) {
      Json.write(
          invocation.output(),
          json ->
              json.object(fields -> fields.field("id", job.id().hex()).field("cancelled", true)));
    } else {
      invocation.output().print("job " + job.id() + " is being cancelled\n");
    }
    return ExitCode.DONE;
  }
}
