package dev.weft.shell.command;

import dev.weft.core.job.JobView;
import dev.weft.core.job.TaskView;
import dev.weft.shell.render.Text;
import java.util.List;

/** Finds the task that a user names. */
final class Tasks {
  private Tasks() {}

  /** The task with an index, or {@code merge}. */
  static TaskView find(JobView job, List<TaskView> tasks, String name) throws CommandException {
    return tasks.stream()
        .filter(
            task ->
                name.equals(Integer.toString(task.id().index()))
                    || (task.merge() && name.equals("merge")))
        .findFirst()
        .orElseThrow(
            () ->
                new CommandException(
                    "job %s has no task '%s': it has %s; 'weft job status --tasks %s' shows them"
                        .formatted(
                            job.id(),
                            Text.clean(name),
                            Text.count(tasks.size(), "task"),
                            job.id())));
  }
}
