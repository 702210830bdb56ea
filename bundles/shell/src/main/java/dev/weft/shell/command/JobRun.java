package dev.weft.shell.command;

import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.policy.Refusal;
import dev.weft.core.job.JobService;
import dev.weft.core.job.JobSource;
import dev.weft.core.job.JobView;
import dev.weft.core.job.TaskView;
import dev.weft.shell.render.JobJson;
import dev.weft.shell.render.JobText;
import dev.weft.shell.render.Json;
import dev.weft.shell.render.NodeNames;
import dev.weft.shell.render.Text;
import java.io.IOException;
import java.nio.file.Path;
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

  @Option(names = "--detach", description = "Print the job's id and return at once.")
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
    return detach ? detached(invocation, accepted.id()) : follow(invocation, accepted.id());
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
    NodeNames names = invocation.services().nodeNames();
    invocation.say(
        "No node could ever take a task of job "
            + id
            + ":\n"
            + JobText.refusals(refusals, names)
            + stays(id));
    return ExitCode.NOT_PLACED;
  }

  private int detached(Invocation invocation, JobId id) throws CommandException, IOException {
    printId(invocation, id);
    return ExitCode.DONE;
  }

  // Without JSON the id is printed only when the user asked for nothing else.
  private void printId(Invocation invocation, JobId id) throws CommandException, IOException {
    Optional<JobView> view = invocation.services().jobs().job(id);
    if (json() && view.isPresent()) {
      printJson(invocation, view.get());
    } else if (detach) {
      invocation.output().print(id.hex() + '\n');
    }
  }

  private static void printJson(Invocation invocation, JobView view)
      throws CommandException, IOException {
    NodeNames names = invocation.services().nodeNames();
    Json.write(
        invocation.output(), json -> json.object(fields -> JobJson.job(fields, view, names)));
  }

  private int follow(Invocation invocation, JobId id)
      throws CommandException, InterruptedException, IOException {
    if (!quiet) {
      invocation.say("job " + id.hex());
    }
    JobFollower.Followed followed;
    try {
      followed = new JobFollower(invocation, id, quiet, Duration.ofSeconds(placementWait)).follow();
    } catch (InterruptedException e) {
      invocation.say(
          "job %s goes on; follow it again with: weft job status %s, stop it with: weft job cancel %s"
              .formatted(id, id, id));
      throw e;
    }
    JobView view = followed.job();
    if (json()) {
      printJson(invocation, view);
    }
    return followed.step() == JobProgress.Step.NOT_PLACED
        ? notPlaced(invocation, view)
        : ended(invocation, view);
  }

  private int notPlaced(Invocation invocation, JobView view) throws CommandException {
    NodeNames names = invocation.services().nodeNames();
    String why = view.waiting().map(waiting -> JobText.waiting(waiting, names)).orElse("");
    invocation.say(
        "No node can take a task of job " + view.id() + " now.\n" + why + stays(view.id()));
    return ExitCode.NOT_PLACED;
  }

  private static String stays(JobId id) {
    return "The job stays queued and starts as soon as a node fits; see why with: weft job why "
        + id
        + ", stop it with: weft job cancel "
        + id;
  }

  private int ended(Invocation invocation, JobView view)
      throws CommandException, InterruptedException, IOException {
    if (view.state() == JobView.State.CANCELLED) {
      invocation.say("job " + view.id() + " was cancelled");
      return ExitCode.ERROR;
    }
    if (view.state() == JobView.State.FAILED) {
      fail(invocation, view);
      return ExitCode.ERROR;
    }
    if (!quiet) {
      invocation.say(
          "job %s completed: %s in %s"
              .formatted(
                  view.id(),
                  Text.count(view.counts().total(), "task"),
                  JobText.time(view, invocation.now()).map(Text::duration).orElse("no time")));
    }
    if (view.output().isPresent()) {
      if (!quiet) {
        invocation.say("The result is in " + Text.clean(view.output().get().toString()));
      }
    } else if (!json()) {
      Optional<Path> result = invocation.services().jobs().result(view.id());
      if (result.isEmpty()) {
        throw new CommandException("job " + view.id() + " has no result any more");
      }
      FileCopy.copy(result.get(), invocation.output());
    }
    return ExitCode.DONE;
  }

  private static void fail(Invocation invocation, JobView view) throws CommandException {
    invocation.say(
        "job %s failed%s"
            .formatted(
                view.id(),
                view.fault().map(fault -> ": " + Text.clean(fault.toString())).orElse("")));
    List<TaskView> tasks = invocation.services().jobs().tasks(view.id());
    tasks.stream()
        .filter(task -> task.state() == TaskView.State.FAILED)
        .findFirst()
        .ifPresent(task -> invocation.say(JobText.failure(task).stripTrailing()));
    invocation.say("See all of it with: weft job status --tasks " + view.id());
  }
}
