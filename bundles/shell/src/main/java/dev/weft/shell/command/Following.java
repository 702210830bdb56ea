package dev.weft.shell.command;

import dev.weft.api.JobId;
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
import java.util.Optional;
import java.util.stream.Collectors;

/** Follows a job, or several that need each other, to the end and says what came of it. */
final class Following {
  private final Invocation invocation;
  private final List<JobId> steps;
  private final boolean json;
  private final boolean quiet;

  /**
   * For the jobs of one job file.
   *
   * @param steps each after those that it needs; the result is that of the last
   * @param json whether the job is printed in JSON at the end, instead of its result
   * @param quiet whether nothing but the result and errors is printed
   */
  Following(Invocation invocation, List<JobId> steps, boolean json, boolean quiet) {
    this.invocation = invocation;
    this.steps = List.copyOf(steps);
    this.json = json;
    this.quiet = quiet;
  }

  /**
   * Follows until the end.
   *
   * @param placementWait how long no node may take a task before it counts as not placed
   * @return exit code
   */
  int follow(Duration placementWait) throws CommandException, InterruptedException, IOException {
    boolean several = steps.size() > 1;
    for (JobId step : steps) {
      if (!quiet) {
        invocation.say("job " + step.hex() + (several ? "  " + name(step) : ""));
      }
    }
    JobId last = steps.get(steps.size() - 1);
    int code = ExitCode.DONE;
    for (JobId step : steps) {
      JobFollower.Followed followed = follow(step, several, placementWait);
      JobView view = followed.job();
      boolean placed = followed.step() != JobProgress.Step.NOT_PLACED;
      boolean over = !placed || view.state() != JobView.State.COMPLETED || step.equals(last);
      if (json && over) {
        printJson(invocation, view);
      }
      if (!placed) {
        return notPlaced(view);
      }
      code = ended(view, step.equals(last));
      if (over) {
        return code;
      }
    }
    return code;
  }

  private String name(JobId step) throws CommandException {
    return invocation.services().jobs().job(step).map(view -> Text.clean(view.name())).orElse("");
  }

  private JobFollower.Followed follow(JobId step, boolean several, Duration placementWait)
      throws CommandException, InterruptedException {
    String title = several ? name(step) + " " : "";
    try {
      return new JobFollower(invocation, step, title, quiet, placementWait).follow();
    } catch (InterruptedException e) {
      JobId last = steps.get(steps.size() - 1);
      invocation.say(
          several
              ? "The jobs go on; follow the last again with: weft job watch %s, stop all with: weft job cancel %s"
                  .formatted(last, ids())
              : "job %s goes on; follow it again with: weft job watch %s, stop it with: weft job cancel %s"
                  .formatted(step, step, step));
      throw e;
    }
  }

  private String ids() {
    return steps.stream().map(JobId::shortForm).collect(Collectors.joining(" "));
  }

  private int notPlaced(JobView view) throws CommandException {
    NodeNames names = invocation.services().nodeNames();
    String why = view.waiting().map(waiting -> JobText.waiting(waiting, names)).orElse("");
    invocation.say(
        "No node can take a task of job " + view.id() + " now.\n" + why + stays(view.id()));
    return ExitCode.NOT_PLACED;
  }

  /** What a user can do about a job that no node takes. */
  static String stays(JobId id) {
    return "The job stays queued and starts as soon as a node fits; see why with: weft job why "
        + id
        + ", stop it with: weft job cancel "
        + id;
  }

  private int ended(JobView view, boolean last)
      throws CommandException, InterruptedException, IOException {
    if (view.state() == JobView.State.CANCELLED) {
      invocation.say("job " + view.id() + " was cancelled");
      return ExitCode.ERROR;
    }
    if (view.state() != JobView.State.COMPLETED) {
      fail(view);
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
    } else if (!json && last) {
      Optional<Path> result = invocation.services().jobs().result(view.id());
      if (result.isEmpty()) {
        throw new CommandException("job " + view.id() + " has no result any more");
      }
      FileCopy.copy(result.get(), invocation.output());
    }
    return ExitCode.DONE;
  }

  private void fail(JobView view) throws CommandException {
    Optional<TaskView> failed =
        invocation.services().jobs().tasks(view.id()).stream()
            .filter(task -> task.state() == TaskView.State.FAILED)
            .findFirst();
    // How, if it is not simply that its command failed.
    String how = view.state() == JobView.State.FAILED ? "" : " (" + view.state() + ")";
    if (failed.isEmpty()) {
      String why = view.fault().map(fault -> ": " + Text.clean(fault.toString())).orElse("");
      invocation.say("job " + view.id() + " failed" + how + why);
      return;
    }
    String task = JobText.name(failed.get());
    invocation.say("job " + view.id() + " failed" + how);
    invocation.say(JobText.failure(failed.get()).stripTrailing());
    invocation.say(
        "See what it wrote with: weft job logs %s %s --stream errors, all tasks with: weft job"
                .formatted(view.id(), task)
            + " status --tasks "
            + view.id());
  }

  /** Prints a job in JSON. */
  static void printJson(Invocation invocation, JobView view) throws CommandException, IOException {
    NodeNames names = invocation.services().nodeNames();
    Json.write(
        invocation.output(), json -> json.object(fields -> JobJson.job(fields, view, names)));
  }
}
