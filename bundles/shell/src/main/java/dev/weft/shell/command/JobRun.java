package dev.weft.shell.command;

import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.policy.Refusal;
import dev.weft.core.job.JobService;
import dev.weft.core.job.JobSource;
import dev.weft.core.job.JobView;
import dev.weft.shell.render.JobJson;
import dev.weft.shell.render.JobText;
import dev.weft.shell.render.Json;
import dev.weft.shell.render.NodeNames;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Submits a job and follows it. */
@CommandLine.Command(
    name = "run",
    header = "Run a job and follow it until it ends.",
    description = {
      "A job file with steps becomes a job for each; the result is that of the last.",
      "Ctrl-C stops following, not the job. When the job names no output file, its result is"
          + " printed at the end.",
      "Exit code: 0 done; 1 error or failed job; 2 no node can take it now, it stays queued;"
          + " 130 interrupted."
    },
    footer = {
      "",
      "Examples:",
      "  weft job run count.yaml",
      "  generate-job | weft job run --detach -"
    })
final class JobRun extends Report implements ReadsJobFile {
  private static final long MAXIMUM_WAIT_SECONDS = 86_400;

  @Parameters(paramLabel = "FILE", description = "Job file in YAML; - reads standard input.")
  private String file = "";

  @Option(
      names = "--detach",
      description = "Print the job's id, of several the last, and return at once.")
  private boolean detach;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print nothing but the result or the id, and errors.")
  private boolean quiet;

  @Option(
      names = "--placement-wait",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description =
          "How long no node may take a task before it counts as not placed (default"
              + " ${DEFAULT-VALUE}).")
  private long placementWait;

  @Spec private CommandSpec spec;

  @Override
  public String jobFile() {
    return file;
  }

  @Override
  public int run(Invocation invocation) throws CommandException, InterruptedException, IOException {
    if (placementWait < 0 || placementWait > MAXIMUM_WAIT_SECONDS) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--placement-wait must be 0 to " + MAXIMUM_WAIT_SECONDS + " seconds");
    }
    JobSource source = invocation.jobFiles().read(file);
    JobService.Submitted submitted = invocation.services().jobs().submit(source);
    if (submitted instanceof JobService.Submitted.Rejected rejected) {
      return reject(invocation, source, rejected.problems());
    }
    JobService.Submitted.Accepted accepted = (JobService.Submitted.Accepted) submitted;
    if (!accepted.neverFits().isEmpty()) {
      return neverFits(invocation, accepted.id(), accepted.neverFits());
    }
    if (detach) {
      printId(invocation, accepted.id());
      return ExitCode.DONE;
    }
    Duration wait = Duration.ofSeconds(placementWait);
    return new Following(invocation, accepted.steps(), json(), quiet).follow(wait);
  }

  private int reject(Invocation invocation, JobSource source, List<JobService.Problem> problems)
      throws IOException {
    if (json()) {
      Json.write(
          invocation.output(), json -> json.object(fields -> JobJson.problems(fields, problems)));
    }
    for (JobService.Problem problem : problems) {
      invocation.say(JobText.problem(source.name(), problem));
    }
    return ExitCode.ERROR;
  }

  private int neverFits(Invocation invocation, JobId id, Map<NodeId, Refusal> refusals)
      throws CommandException, IOException {
    printId(invocation, id);
    if (!json() && !detach && !quiet) {
      invocation.say("job " + id.hex());
    }
    NodeNames names = invocation.services().nodeNames();
    invocation.say(
        "No node could ever take a task of job "
            + id
            + ":\n"
            + JobText.refusals(refusals, names)
            + Following.stays(id));
    return ExitCode.NOT_PLACED;
  }

  // Without JSON the id is printed only when the user asked for nothing else.
  private void printId(Invocation invocation, JobId id) throws CommandException, IOException {
    Optional<JobView> view = invocation.services().jobs().job(id);
    if (json() && view.isPresent()) {
      Following.printJson(invocation, view.get());
    } else if (detach) {
      invocation.output().print(id.hex() + '\n');
    }
  }
}
