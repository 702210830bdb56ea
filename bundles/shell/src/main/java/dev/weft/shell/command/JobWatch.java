package dev.weft.shell.command;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Follows a job that runs already. */
@CommandLine.Command(
    name = "watch",
    header = "Follow a job until it ends, and print its result.",
    description = {
      "Ctrl-C stops following, not the job.",
      "Exit code: 0 done; 1 error or failed job; 130 interrupted."
    },
    footer = {"", "Example:", "  weft job watch 1a2b3c4d"})
final class JobWatch extends Report {
  /** Who watches a job that waits knows that it does. */
  private static final Duration FOR_EVER = Duration.ofDays(3_650);

  @Parameters(paramLabel = "ID", description = "Job id, or the first digits of it.")
  private String id = "";

  @Option(
      names = {"-q", "--quiet"},
      description = "Print nothing but the result, and errors.")
  private boolean quiet;

  @Override
  public int run(Invocation invocation) throws CommandException, InterruptedException, IOException {
    var job = Prefixes.job(invocation.services().jobs(), id);
    return new Following(invocation, List.of(job.id()), json(), quiet).follow(FOR_EVER);
  }
}
