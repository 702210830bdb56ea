package dev.weft.shell.render;

import dev.weft.api.Environment;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.Quantity;
import dev.weft.api.Resources;
import dev.weft.api.job.JobSpec;
import dev.weft.api.policy.Refusal;
import dev.weft.core.job.JobService;
import dev.weft.core.job.JobView;
import dev.weft.core.job.TaskView;
import dev.weft.core.resources.Placement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Jobs and tasks as text. */
public final class JobText {
  private JobText() {}

  /** One line per job. */
  public static String list(List<JobView> jobs, Instant now, boolean ansi) {
    Table table =
        Table.of(
            "ID",
            "NAME",
            "SUBMITTER",
            "STATE",
            ">DONE",
            ">RUNNING",
            ">FAILED",
            ">AGE",
            ">TIME",
            "NEEDS",
            "WAITS");
    for (JobView job : jobs) {
      JobView.Counts counts = job.counts();
      table.row(
          job.id().shortForm(),
          job.name(),
          job.submitter(),
          state(job),
          counts.done() + "/" + counts.total(),
          Integer.toString(counts.running()),
          Integer.toString(counts.failed()),
          Text.duration(Duration.between(job.submitted(), now)),
          time(job, now).map(Text::duration).orElse(""),
          firstNeed(job),
          job.waiting().map(waiting -> waiting.code().name()).orElse(""));
    }
    return table.render(ansi);
  }

  private static String firstNeed(JobView job) {
    int more = job.needs().size() - 1;
    return more < 0 ? "" : job.needs().get(0).shortForm() + (more == 0 ? "" : " +" + more);
  }

  /** How long a job has run, or ran. */
  public static Optional<Duration> time(JobView job, Instant now) {
    return job.started().map(started -> Duration.between(started, job.ended().orElse(now)));
  }

  /** All of one job but its tasks. */
  public static String status(
      JobView job, NodeNames names, Instant now, ZoneId zone, boolean ansi) {
    JobView.Counts counts = job.counts();
    StringBuilder text = new StringBuilder();
    text.append(
        new Facts()
            .add("Job", job.id().hex())
            .add("Name", job.name())
            .add("Submitter", job.submitter())
            .add("State", state(job))
            .add("Needs", needs(job))
            .add(
                "Tasks",
                "%d: %d waiting, %d running, %d done, %d failed%s"
                    .formatted(
                        counts.total(),
                        counts.waiting(),
                        counts.running(),
                        counts.done(),
                        counts.failed(),
                        counts.cancelled() == 0 ? "" : ", " + counts.cancelled() + " cancelled"))
            .add("Priority", Integer.toString(job.priority()))
            .add("Split by", job.splitPolicy().isEmpty() ? "the job file" : job.splitPolicy())
            .add("Submitted", moment(job.submitted(), now, zone))
            .add("Started", job.started().map(at -> moment(at, now, zone)).orElse(""))
            .add("Ended", job.ended().map(at -> moment(at, now, zone)).orElse(""))
            .add("Time", time(job, now).map(Text::duration).orElse(""))
            .add("Output", job.output().map(Object::toString).orElse("kept with the job"))
            .add("Fault", job.fault().map(Object::toString).orElse(""))
            .render());
    if (!job.nodes().isEmpty()) {
      Table nodes = Table.of("NODE", "NAME", ">RUNNING", ">DONE", ">FAILED");
      for (JobView.NodeShare share : job.nodes()) {
        nodes.row(
            share.node().shortForm(),
            share.name(),
            Integer.toString(share.running()),
            Integer.toString(share.done()),
            Integer.toString(share.failed()));
      }
      text.append('\n').append(nodes.render(ansi));
    }
    job.waiting().ifPresent(waiting -> text.append('\n').append(waiting(waiting, names)));
    return text.toString();
  }

  private static String state(JobView job) {
    boolean stopping = job.desired() == JobView.Desired.STOP && !job.state().isFinal();
    return job.state() + (stopping ? ", being cancelled" : "");
  }

  private static String needs(JobView job) {
    return job.needs().stream().map(JobId::shortForm).collect(Collectors.joining(", "));
  }

  private static String moment(Instant at, Instant now, ZoneId zone) {
    return Text.moment(at, zone) + " (" + Text.age(at, now) + ")";
  }

  /** Why a task waits, with a line per node. */
  public static String waiting(JobView.Waiting waiting, NodeNames names) {
    return waiting(waiting, "", names);
  }

  /** The same with what there is too little of ({@link #shortages}). */
  public static String waiting(JobView.Waiting waiting, String shortages, NodeNames names) {
    return "%s waits (%s): %s\n%s%s"
        .formatted(
            waiting.task() < 0 ? "It" : "Task " + waiting.task(),
            waiting.code(),
            Text.clean(waiting.reason()),
            shortages,
            refusals(waiting.refusals(), names));
  }

  /** Why nodes cannot take a task: an indented line per node, in order of id. */
  public static String refusals(Map<NodeId, Refusal> refusals, NodeNames names) {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(refusals)
        .forEach(
            (node, refusal) ->
                text.append("  ")
                    .append(Text.clean(names.label(node)))
                    .append(": ")
                    .append(Text.clean(refusal.message()))
                    .append('\n'));
    return text.toString();
  }

  /** One line per task. */
  public static String tasks(List<TaskView> tasks, Instant now, boolean ansi) {
    Table table = Table.of(">TASK", "STATE", ">TRIES", "NODE", ">TIME", ">EXIT", "SHARD", "NOTE");
    for (TaskView task : tasks) {
      Optional<TaskView.AttemptView> last = last(task);
      table.row(
          name(task),
          task.state().name(),
          Integer.toString(last.map(TaskView.AttemptView::number).orElse(0)),
          last.map(attempt -> attempt.nodeName()).orElse(""),
          last.map(attempt -> Text.duration(time(attempt, now))).orElse(""),
          exit(last),
          task.shard(),
          note(task, last));
    }
    return table.render(ansi);
  }

  /** One line per step of a job file. */
  public static String steps(List<JobSpec> steps, boolean ansi) {
    Table table = Table.of("STEP", ">NEEDS", "EACH TASK TAKES");
    for (JobSpec step : steps) {
      List<String> amounts = new ArrayList<>();
      step.demand()
          .resources()
          .perEnvironment()
          .forEach(
              (environment, amount) ->
                  amount.forEach(
                      (type, value) ->
                          amounts.add(
                              Quantity.show(type, value)
                                  + (environment.equals(Environment.REE)
                                      ? ""
                                      : " in " + environment))));
      table.row(step.name(), Integer.toString(step.needs().size()), String.join(", ", amounts));
    }
    return table.render(ansi);
  }

  /** The latest attempt of a task. */
  public static Optional<TaskView.AttemptView> last(TaskView task) {
    return task.attempts().isEmpty()
        ? Optional.empty()
        : Optional.of(task.attempts().get(task.attempts().size() - 1));
  }

  /** What people call a task: its index, or merge. */
  public static String name(TaskView task) {
    return task.merge() ? "merge" : Integer.toString(task.id().index());
  }

  private static Duration time(TaskView.AttemptView attempt, Instant now) {
    return Duration.between(attempt.started(), attempt.ended().orElse(now));
  }

  private static String state(TaskView.AttemptView attempt) {
    boolean stopping = attempt.desired() == JobView.Desired.STOP && !attempt.state().isFinal();
    String state = attempt.state().name().toLowerCase(Locale.ROOT);
    return stopping ? state + ", being stopped" : state;
  }

  private static String exit(Optional<TaskView.AttemptView> attempt) {
    OptionalInt code = attempt.map(TaskView.AttemptView::exitCode).orElse(OptionalInt.empty());
    return code.isPresent() ? Integer.toString(code.getAsInt()) : "";
  }

  private static String note(TaskView task, Optional<TaskView.AttemptView> last) {
    if (task.state() == TaskView.State.WAITING && task.refused().isPresent()) {
      return task.refused().get().reason();
    }
    if (last.isEmpty()) {
      return "";
    }
    return last.get().fault().map(fault -> fault.message()).orElse(state(last.get()));
  }

  /** Where tasks ran and why: one line per task. */
  public static String decisions(List<TaskView> tasks, boolean ansi) {
    Table table = Table.of(">TASK", "STATE", ">TRIES", "NODE", "POLICY", "WHY");
    for (TaskView task : tasks) {
      Optional<TaskView.AttemptView> last = last(task);
      boolean waits = task.state() == TaskView.State.WAITING;
      var decision =
          refused(task).isPresent() ? task.refused() : last.map(TaskView.AttemptView::decision);
      table.row(
          name(task),
          task.state().name(),
          Integer.toString(last.map(TaskView.AttemptView::number).orElse(0)),
          waits ? "" : last.map(attempt -> attempt.nodeName()).orElse(""),
          decision.map(value -> value.policy()).orElse(""),
          decision.map(value -> value.reason()).orElse("not asked for a node yet"));
    }
    return table.render(ansi);
  }

  /** Where one task ran and why, try by try, and why it waits. */
  public static String decisions(TaskView task, NodeNames names, Instant now, ZoneId zone) {
    StringBuilder text = new StringBuilder();
    text.append("Task %s (%s): %s\n".formatted(name(task), Text.clean(task.shard()), task.state()));
    for (TaskView.AttemptView attempt : task.attempts()) {
      text.append(
          "Try %d on %s at %s, %s: %s\n"
              .formatted(
                  attempt.number(),
                  Text.clean(attempt.nodeName() + " (" + attempt.node().shortForm() + ")"),
                  Text.moment(attempt.started(), zone),
                  Text.duration(time(attempt, now)),
                  state(attempt)));
      text.append(decision("  chosen", attempt.decision()));
      text.append(indented(refusals(attempt.decision().refusals(), names)));
      attempt.fault().ifPresent(fault -> text.append("  " + Text.clean(fault.toString()) + "\n"));
    }
    refused(task)
        .ifPresent(
            refused ->
                text.append(decision("Refused", refused))
                    .append(shortages(refused))
                    .append(refusals(refused.refusals(), names)));
    return text.toString();
  }

  /** The answer for which a task waits. */
  public static Optional<Placement.Decision> refused(TaskView task) {
    return task.refused().filter(refused -> task.state() == TaskView.State.WAITING);
  }

  /** What no node has enough of: an indented line for each. */
  public static String shortages(Placement.Decision decision) {
    StringBuilder text = new StringBuilder();
    for (Resources.Lack lack : decision.shortages()) {
      text.append("  no node has enough ")
          .append(lack.type())
          .append(lack.environment().equals(Environment.REE) ? "" : " in " + lack.environment())
          .append(": needs ")
          .append(Quantity.format(lack.type(), lack.wanted()))
          .append(", the most is ")
          .append(Quantity.format(lack.type(), lack.available()))
          .append('\n');
    }
    return text.toString();
  }

  /** What every node says to a demand now: one line per node, in order of name. */
  public static String answers(
      Map<NodeId, Optional<Refusal>> answers, NodeNames names, boolean ansi) {
    Table table = Table.of("NODE", "NAME", "NOW");
    answers.entrySet().stream()
        .sorted(
            Comparator.comparing((Map.Entry<NodeId, ?> answer) -> names.of(answer.getKey()))
                .thenComparing(Map.Entry::getKey))
        .forEach(
            answer ->
                table.row(
                    answer.getKey().shortForm(),
                    names.of(answer.getKey()),
                    answer.getValue().map(Refusal::message).orElse("could take it")));
    return table.isEmpty() ? "No node gets tasks now.\n" : table.render(ansi);
  }

  private static String decision(String title, Placement.Decision decision) {
    String policy = decision.policy().isEmpty() ? "no policy" : decision.policy();
    return title + " by " + Text.clean(policy) + ": " + Text.clean(decision.reason()) + "\n";
  }

  private static String indented(String lines) {
    return lines.isEmpty() ? "" : "  " + lines.stripTrailing().replace("\n", "\n  ") + "\n";
  }

  /** What went wrong with a task: node, exit code, fault and the end of its standard error. */
  public static String failure(TaskView task) {
    Optional<TaskView.AttemptView> last = last(task);
    if (last.isEmpty()) {
      return "Task " + name(task) + " failed before it was tried\n";
    }
    TaskView.AttemptView attempt = last.get();
    StringBuilder text = new StringBuilder();
    text.append(
        "Task %s failed on %s, try %d%s\n"
            .formatted(
                name(task),
                Text.clean(attempt.nodeName() + " (" + attempt.node().shortForm() + ")"),
                attempt.number(),
                attempt.fault().map(fault -> ": " + Text.clean(fault.message())).orElse("")));
    if (!attempt.errorTail().isBlank()) {
      text.append("Its standard error ended with:\n");
      text.append(indented(Text.cleanLines(attempt.errorTail())));
    }
    return text.toString();
  }

  /** A problem of a job file, as compilers write it. */
  public static String problem(String file, JobService.Problem problem) {
    StringBuilder text = new StringBuilder(Text.clean(file));
    if (problem.line() > 0) {
      text.append(':').append(problem.line()).append(':').append(problem.column());
    }
    text.append(": ");
    if (!problem.key().isEmpty()) {
      text.append(Text.clean(problem.key())).append(": ");
    }
    return text.append(Text.clean(problem.message())).toString();
  }
}
