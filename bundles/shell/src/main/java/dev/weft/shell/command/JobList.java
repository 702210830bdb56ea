package dev.weft.shell.command;

import dev.weft.core.job.JobView;
import dev.weft.shell.render.JobJson;
import dev.weft.shell.render.JobText;
import dev.weft.shell.render.Json;
import dev.weft.shell.render.NodeNames;
import dev.weft.shell.render.Text;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Lists jobs. */
@CommandLine.Command(
    name = "list",
    header = "List jobs, newest first.",
    description = "Without --all: those that have not ended, and the 10 that ended last.",
    footer = {"", "Example:", "  weft job list --all"})
final class JobList extends Report {
  private static final int ENDED_SHOWN = 10;

  @Option(names = "--all", description = "Show every job.")
  private boolean all;

  @Override
  public int run(Invocation invocation) throws CommandException, IOException {
    List<JobView> jobs = invocation.services().jobs().jobs();
    List<JobView> shown = new ArrayList<>();
    int ended = 0;
    for (JobView job : jobs) {
      ended += job.state().isFinal() ? 1 : 0;
      if (all || !job.state().isFinal() || ended <= ENDED_SHOWN) {
        shown.add(job);
      }
    }
    if (json()) {
      NodeNames names = invocation.services().nodeNames();
      Json.write(
          invocation.output(),
          json ->
              json.object(
                  fields ->
                      fields.array(
                          "jobs",
                          array -> {
                            for (JobView job : shown) {
                              array.object(each -> JobJson.job(each, job, names));
                            }
                          })));
      return ExitCode.DONE;
    }
    if (jobs.isEmpty()) {
      invocation.say("There is no job yet: start one with weft job run FILE");
      return ExitCode.DONE;
    }
    invocation
        .output()
        .print(JobText.list(shown, invocation.now(), invocation.display().get().ansi()));
    invocation.output().flush(); // before what goes to the other stream
    if (shown.size() < jobs.size()) {
      invocation.say(
          "and "
              + Text.count(jobs.size() - shown.size(), "more job")
              + " that ended before: weft job list --all");
    }
    return ExitCode.DONE;
  }
}
