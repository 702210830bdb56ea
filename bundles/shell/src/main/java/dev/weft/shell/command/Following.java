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
import java.util.Optional;

/** Follows a job to its end and says what came of it. */
final class Following {
  private final Invocation invocation;
  private final JobId id;
  private final boolean json;
  private final boolean quiet;

  /**
   * For one job.
   *
   * @param json whether the job is printed in JSON at the end, instead of its result
   * @param quiet whether nothing but the result and errors is printed
   */
  Following(Invocation invocation, JobId id, boolean json, boolean quiet) {
    this.invocation = invocation;
    this.id = id;
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
    if (!quiet) {
      invocation.say("job " + id.hex());
    }
    JobFollower.Followed followed;
    try {
      followed = new JobFollower(invocation, id, quiet, placementWait).follow();
    } catch (InterruptedException e) {
      invocation.say(
          "job %s goes on; follow it again with: weft job watch %s, stop it with: weft job cancel %s"
              .formatted(id, id, id));
      throw e;
    }
    JobView view = followed.job();
    if (json) {
      printJson(invocation, view);
    }
    return followed.step() == JobProgress.Step.NOT_PLACED ? notPlaced(view) : ended(view);
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

  private int ended(JobView view) throws CommandException, InterruptedException, IOException {
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
    } else if (!json) {
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
    if (failed.isEmpty()) {
      String why = view.fault().map(fault -> ": " + Text.clean(fault.toString())).orElse("");
      invocation.say("job " + view.id() + " failed" + why);
      return;
    }
    String task = JobText.name(failed.get());
    invocation.say("job " + view.id() + " failed");
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
