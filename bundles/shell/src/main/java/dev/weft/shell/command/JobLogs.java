package dev.weft.shell.command;

import dev.weft.api.AttemptId;
import dev.weft.core.job.JobService;
import dev.weft.core.job.JobView;
import dev.weft.core.job.TaskView;
import dev.weft.core.message.Message;
import dev.weft.shell.render.JobText;
import dev.weft.shell.render.Text;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what tasks wrote. */
@CommandLine.Command(
    name = "logs",
    header = "Print what tasks write to standard output or standard error.",
    description =
        "Of the latest try of each task, or another; without TASK, of every task in turn.",
    footer = {
      "",
      "Examples:",
      "  weft job logs 1a2b3c4d 17 --stream errors --try 1",
      "  weft job logs 1a2b3c4d merge --follow"
    })
final class JobLogs extends Command {
  private static final long ANSWER_SECONDS = 30;
  private static final long FOLLOW_MILLIS = 500;

  @Parameters(index = "0", paramLabel = "ID", description = "Job id, or the first digits of it.")
  private String id = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "TASK",
      description = "Index of a task, or merge.")
  private String task;

  @Option(
      names = "--stream",
      paramLabel = "STREAM",
      defaultValue = "output",
      description = "output or errors; stdout and stderr mean the same (default ${DEFAULT-VALUE}).")
  private StreamName stream;

  @Option(
      names = {"-f", "--follow"},
      description = "Go on until the task has ended; Ctrl-C stops.")
  private boolean follow;

  @Option(
      names = "--try",
      paramLabel = "NUMBER",
      description = "Which try of TASK (default: the latest).")
  private Optional<Integer> number = Optional.empty();

  @Spec private CommandSpec spec;

  /** Names of the streams, as users type them. */
  enum StreamName {
    output(Message.Stream.OUTPUT),
    errors(Message.Stream.ERRORS),
    stdout(Message.Stream.OUTPUT),
    stderr(Message.Stream.ERRORS);

    private final Message.Stream stream;

    StreamName(Message.Stream stream) {
      this.stream = stream;
    }
  }

  @Override
  public int run(Invocation invocation) throws CommandException, InterruptedException {
    JobService jobs = invocation.services().jobs();
    JobView job = Prefixes.job(jobs, id);
    List<TaskView> tasks = jobs.tasks(job.id());
    if (task != null || tasks.size() == 1) {
      TaskView one = task == null ? tasks.get(0) : Tasks.find(job, tasks, task);
      Optional<AttemptId> attempt = attempt(one);
      if (attempt.isEmpty() && number.isPresent()) {
        throw new CommandException(
            "task %s of job %s has no try %d: see them with weft job why %s %s"
                .formatted(JobText.name(one), job.id(), number.get(), job.id(), JobText.name(one)));
      }
      if (attempt.isEmpty()) {
        throw new CommandException(
            "task %s of job %s has not been started: see why with weft job why %s %s"
                .formatted(JobText.name(one), job.id(), job.id(), JobText.name(one)));
      }
      print(invocation, attempt.get());
      return ExitCode.DONE;
    }
    if (follow || number.isPresent()) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--follow and --try need a TASK when the job has more than one");
    }
    return printAll(invocation, tasks);
  }

  private Optional<AttemptId> attempt(TaskView task) {
    if (number.isEmpty()) {
      return JobText.last(task).map(last -> new AttemptId(task.id(), last.number()));
    }
    return task.attempts().stream()
        .filter(attempt -> attempt.number() == number.get())
        .findFirst()
        .map(attempt -> new AttemptId(task.id(), attempt.number()));
  }

  private int printAll(Invocation invocation, List<TaskView> tasks) throws InterruptedException {
    int code = ExitCode.DONE;
    for (TaskView each : tasks) {
      Optional<TaskView.AttemptView> last = JobText.last(each);
      if (last.isEmpty()) {
        continue;
      }
      invocation.output().flush();
      invocation.say(
          "==> task %s, try %d on %s <=="
              .formatted(
                  JobText.name(each), last.get().number(), Text.clean(last.get().nodeName())));
      try {
        print(invocation, new AttemptId(each.id(), last.get().number()));
      } catch (CommandException e) {
        invocation.say(e.getMessage());
        code = ExitCode.ERROR;
      }
    }
    return code;
  }

  private void print(Invocation invocation, AttemptId attempt)
      throws CommandException, InterruptedException {
    long offset = 0;
    while (true) {
      Message.LogChunk chunk = read(invocation.services().jobs(), attempt, offset);
      byte[] bytes = chunk.bytes().toArray();
      invocation.output().write(bytes, 0, bytes.length);
      offset = chunk.offset() + bytes.length;
      if (chunk.end() || (bytes.length == 0 && !follow) || invocation.output().checkError()) {
        return;
      }
      if (bytes.length == 0) {
        pause();
      }
    }
  }

  private Message.LogChunk read(JobService jobs, AttemptId attempt, long offset)
      throws CommandException, InterruptedException {
    CompletableFuture<Message> reading =
        jobs.readLog(attempt, stream.stream, offset).toCompletableFuture();
    Message answer;
    try {
      answer = reading.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new CommandException(
          "the node of "
              + attempt
              + " does not answer: see its state with weft node list, and try again");
    }
    if (answer instanceof Message.LogChunk chunk) {
      return chunk;
    }
    String reason =
        answer instanceof Message.Failed failed
            ? Text.clean(failed.fault().toString())
            : "unexpected answer";
    throw new CommandException("no log of " + attempt + ": " + reason);
  }

  // Waits, and can be interrupted.
  private static void pause() throws InterruptedException {
    boolean none = new CountDownLatch(1).await(FOLLOW_MILLIS, TimeUnit.MILLISECONDS);
    assert !none;
  }
}
