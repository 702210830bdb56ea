package dev.weft.shell.command;

import dev.weft.core.job.JobService;
import dev.weft.core.job.JobView;
import dev.weft.shell.render.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** Prints the result of a job. */
@CommandLine.Command(
    name = "output",
    header = "Print the result of a job that has completed.",
    description = "With --json: say where it is on the manager, and how large.",
    footer = {"", "Example:", "  weft job output 1a2b3c4d > result.csv"})
final class JobOutput extends Report {
  @Parameters(paramLabel = "ID", description = "Job id, or the first digits of it.")
  private String id = "";

  @Override
  public int run(Invocation invocation) throws CommandException, InterruptedException, IOException {
    JobService jobs = invocation.services().jobs();
    JobView job = Prefixes.job(jobs, id);
    Optional<Path> result = jobs.result(job.id());
    if (result.isEmpty()) {
      throw new CommandException(
          job.state().isFinal()
              ? "job " + job.id() + " has no result: it is " + job.state()
              : "job "
                  + job.id()
                  + " has no result yet: it is "
                  + job.state()
                  + "; see how far it is with weft job status "
                  + job.id());
    }
    if (json()) {
      long size = Files.size(result.get());
      Json.write(
          invocation.output(),
          json ->
              json.object(
                  fields ->
                      fields
                          .field("id", job.id().hex())
                          .field("file", result.get().toString())
                          .field("bytes", size)));
    } else {
      FileCopy.copy(result.get(), invocation.output());
    }
    return ExitCode.DONE;
  }
}
