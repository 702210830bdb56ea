package dev.weft.shell.render;

import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.job.JobSpec;
import dev.weft.api.policy.Refusal;
import dev.weft.core.job.JobService;
import dev.weft.core.job.JobView;
import dev.weft.core.job.TaskView;
import dev.weft.core.resources.Placement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Jobs, tasks and problems of job files in JSON. */
public final class JobJson {
  private JobJson() {}

  /** A job: the fields of one object. */
  public static void job(Json json, JobView job, NodeNames names) throws IOException {
    JobView.Counts counts = job.counts();
    json.field("id", job.id().hex())
        .field("name", job.name())
        .field("submitter", job.submitter())
        .strings("needs", job.needs().stream().map(JobId::hex).toList())
        .field("desired", job.desired().name())
        .field("state", job.state().name())
        .object(
            "counts",
            fields ->
                fields
                    .field("total", counts.total())
                    .field("waiting", counts.waiting())
                    .field("running", counts.running())
                    .field("done", counts.done())
                    .field("failed", counts.failed())
                    .field("cancelled", counts.cancelled()))
        .field("priority", job.priority())
        .field("splitPolicy", Optional.of(job.splitPolicy()).filter(name -> !name.isEmpty()))
        .time("submitted", job.submitted())
        .time("started", job.started())
        .time("ended", job.ended())
        .fault("fault", job.fault())
        .field("output", job.output().map(Path::toString))
        .array("nodes", array -> nodes(array, job.nodes()));
    waiting(json, job.waiting(), names);
  }

  private static void nodes(Json json, List<JobView.NodeShare> shares) throws IOException {
    for (JobView.NodeShare share : shares) {
      json.object(
          fields ->
              fields
                  .field("id", share.node().hex())
                  .field("name", share.name())
                  .field("running", share.running())
                  .field("done", share.done())
                  .field("failed", share.failed()));
    }
  }

  private static void waiting(Json json, Optional<JobView.Waiting> waiting, NodeNames names)
      throws IOException {
    if (waiting.isEmpty()) {
      json.none("waiting");
      return;
    }
    JobView.Waiting value = waiting.get();
    json.object(
        "waiting",
        fields ->
            fields
                .field("task", value.task())
                .field("code", value.code().name())
                .field("reason", value.reason())
                .refusals(value.refusals(), names));
  }

  /** Tasks as the field {@code tasks}. */
  public static void tasks(Json json, List<TaskView> tasks, NodeNames names) throws IOException {
    json.array(
        "tasks",
        array -> {
          for (TaskView task : tasks) {
            array.object(fields -> task(fields, task, names));
          }
        });
  }

  private static void task(Json json, TaskView task, NodeNames names) throws IOException {
    json.field("index", task.id().index())
        .field("merge", task.merge())
        .field("shard", task.shard())
        .field("desired", task.desired().name())
        .field("state", task.state().name());
    decision(json, "refused", task.refused(), names);
    json.array(
        "attempts",
        array -> {
          for (TaskView.AttemptView attempt : task.attempts()) {
            array.object(fields -> attempt(fields, attempt, names));
          }
        });
  }

  private static void attempt(Json json, TaskView.AttemptView attempt, NodeNames names)
      throws IOException {
    json.field("number", attempt.number())
        .field("node", attempt.node().hex())
        .field("nodeName", attempt.nodeName());
    decision(json, "decision", Optional.of(attempt.decision()), names);
    json.field("desired", attempt.desired().name())
        .field("state", attempt.state().name())
        .time("started", attempt.started())
        .time("ended", attempt.ended())
        .fault("fault", attempt.fault());
    if (attempt.exitCode().isPresent()) {
      json.field("exitCode", attempt.exitCode().getAsInt());
    } else {
      json.none("exitCode");
    }
    json.field("errorTail", attempt.errorTail());
  }

  private static void decision(
      Json json, String name, Optional<Placement.Decision> decision, NodeNames names)
      throws IOException {
    if (decision.isEmpty()) {
      json.none(name);
      return;
    }
    Placement.Decision value = decision.get();
    json.object(
        name,
        fields ->
            fields
                .field("policy", value.policy())
                .field("reason", value.reason())
                .array("shortages", array -> shortages(array, value.shortages()))
                .refusals(value.refusals(), names));
  }

  private static void shortages(Json json, List<Resources.Lack> shortages) throws IOException {
    for (Resources.Lack lack : shortages) {
      json.object(
          fields ->
              fields
                  .field("environment", lack.environment().name())
                  .field("type", lack.type().name())
                  .field("wanted", lack.wanted())
                  .field("available", lack.available()));
    }
  }

  /** What every node says to a demand now, as the field {@code nodes}, in order of id. */
  public static void answers(Json json, Map<NodeId, Optional<Refusal>> answers, NodeNames names)
      throws IOException {
    json.array(
        "nodes",
        array -> {
          for (var answer : new TreeMap<>(answers).entrySet()) {
            Optional<Refusal> refusal = answer.getValue();
            array.object(
                fields ->
                    fields
                        .field("node", answer.getKey().hex())
                        .field("name", names.of(answer.getKey()))
                        .field("fits", refusal.isEmpty())
                        .field("code", refusal.map(Refusal::code))
                        .field("message", refusal.map(Refusal::message)));
          }
        });
  }

  /** Steps of a job file as the field {@code steps}. */
  public static void steps(Json json, List<JobSpec> steps) throws IOException {
    json.array(
        "steps",
        array -> {
          for (JobSpec step : steps) {
            array.object(
                fields ->
                    fields
                        .field("name", step.name())
                        .field("needs", step.needs().size())
                        .field("priority", step.priority())
                        .resources("demand", step.demand().resources()));
          }
        });
  }

  /** Problems of a job file as the field {@code problems}. */
  public static void problems(Json json, List<JobService.Problem> problems) throws IOException {
    json.array(
        "problems",
        array -> {
          for (JobService.Problem problem : problems) {
            array.object(
                fields ->
                    fields
                        .field("line", problem.line())
                        .field("column", problem.column())
                        .field("key", problem.key())
                        .field("message", problem.message()));
          }
        });
  }
}
