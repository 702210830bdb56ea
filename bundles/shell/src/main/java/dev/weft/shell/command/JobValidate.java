package dev.weft.shell.command;

import dev.weft.core.job.JobService;
import dev.weft.core.job.JobSource;
import dev.weft.shell.render.JobJson;
import dev.weft.shell.render.JobText;
import dev.weft.shell.render.Json;
import dev.weft.shell.render.NodeNames;
import dev.weft.shell.render.Text;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** Checks a job file. */
@CommandLine.Command(
    name = "validate",
    header = "Check a job file without running it.",
    description = "Prints every problem as FILE:LINE:COLUMN: key: message; exit code 1 if any.",
    footer = {"", "Example:", "  weft job validate count.yaml"})
final class JobValidate extends Report implements ReadsJobFile {
  @Parameters(paramLabel = "FILE", description = "Job file in YAML; - reads standard input.")
  private String file = "";

  @Override
  public String jobFile() {
    return file;
  }

  @Override
  public int run(Invocation invocation) throws CommandException, IOException {
    JobSource source = invocation.jobFiles().read(file);
    JobService.Checked checked = invocation.services().jobs().check(source);
    return checked instanceof JobService.Checked.Valid valid
        ? valid(invocation, source, valid)
        : invalid(invocation, source, ((JobService.Checked.Invalid) checked).problems());
  }

  private int valid(Invocation invocation, JobSource source, JobService.Checked.Valid valid)
      throws CommandException, IOException {
    NodeNames names = invocation.services().nodeNames();
    if (json()) {
      Json.write(
          invocation.output(),
          json ->
              json.object(
                  fields -> {
                    fields.field("valid", true).field("name", name(valid));
                    JobJson.steps(fields, valid.steps());
                    JobJson.problems(fields, List.of());
                    fields.object("neverFits", never -> never.refusals(valid.neverFits(), names));
                  }));
      return ExitCode.DONE;
    }
    invocation.output().print(Text.clean(source.name() + ": valid, " + what(valid)) + '\n');
    if (valid.steps().size() > 1) {
      invocation.output().print(JobText.steps(valid.steps(), invocation.display().get().ansi()));
    }
    if (!valid.neverFits().isEmpty()) {
      invocation.say(
          "No node that is known could ever take a task of it:\n"
              + JobText.refusals(valid.neverFits(), names).stripTrailing());
    }
    return ExitCode.DONE;
  }

  private static String what(JobService.Checked.Valid valid) {
    return valid.steps().size() == 1
        ? "job '" + name(valid) + "'"
        : valid.steps().size() + " steps, in the order of what they need:";
  }

  /** Of several steps the last says what the file is for. */
  private static String name(JobService.Checked.Valid valid) {
    return valid.steps().get(valid.steps().size() - 1).name();
  }

  private int invalid(Invocation invocation, JobSource source, List<JobService.Problem> problems)
      throws IOException {
    if (json()) {
      Json.write(
          invocation.output(),
          json ->
              json.object(
                  fields -> {
                    fields.field("valid", false).none("name");
                    JobJson.steps(fields, List.of());
                    JobJson.problems(fields, problems);
                    fields.object("neverFits", never -> never.refusals(Map.of(), node -> ""));
                  }));
    } else {
      problems.forEach(problem -> invocation.say(JobText.problem(source.name(), problem)));
    }
    return ExitCode.ERROR;
  }
}
