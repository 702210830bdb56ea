package dev.weft.shell.command;

import dev.weft.core.job.JobService;
import dev.weft.core.job.JobView;
import dev.weft.shell.render.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** Cancels jobs. */
@CommandLine.Command(
    name = "cancel",
    header = "Cancel jobs: start nothing more of them, stop what runs.",
    description = "Jobs that need one of them fail.",
    footer = {"", "Example:", "  weft job cancel 1a2b3c4d"})
final class JobCancel extends Report {
  @Parameters(
      arity = "1..*",
      paramLabel = "ID",
      description = "Job ids, or the first digits of them.")
  private List<String> ids = new ArrayList<>();

  @Override
  public int run(Invocation invocation) throws CommandException, IOException {
    JobService jobs = invocation.services().jobs();
    List<JobView> found = new ArrayList<>();
    for (String id : ids) { // all of them first: a typing error cancels nothing
      found.add(Prefixes.job(jobs, id));
    }
    List<String> ended = new ArrayList<>();
    List<JobView> cancelled = new ArrayList<>();
    for (JobView job : found) {
      if (jobs.cancel(job.id())) {
        cancelled.add(job);
      } else {
        JobView.State state = jobs.job(job.id()).orElse(job).state();
        ended.add("job " + job.id() + " had ended already (" + state + "); nothing was cancelled");
      }
    }
    report(invocation, found, cancelled);
    if (!ended.isEmpty()) {
      throw new CommandException(String.join("\n", ended));
    }
    return ExitCode.DONE;
  }

  private void report(Invocation invocation, List<JobView> found, List<JobView> cancelled)
      throws IOException {
    if (!json()) {
      cancelled.forEach(
          job -> invocation.output().print("job " + job.id() + " is being cancelled\n"));
    } else if (found.size() == 1 && cancelled.size() == 1) {
      Json.write(
          invocation.output(), json -> json.object(fields -> json(fields, found.get(0), true)));
    } else if (found.size() > 1) {
      Json.write(
          invocation.output(),
          json ->
              json.object(
                  fields ->
                      fields.array(
                          "jobs",
                          array -> {
                            for (JobView job : found) {
                              array.object(each -> json(each, job, cancelled.contains(job)));
                            }
                          })));
    }
  }

  private static void json(Json json, JobView job, boolean cancelled) throws IOException {
    json.field("id", job.id().hex()).field("cancelled", cancelled);
  }
}
