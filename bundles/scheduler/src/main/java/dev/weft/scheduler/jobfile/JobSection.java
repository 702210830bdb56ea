package dev.weft.scheduler.jobfile;

import dev.weft.api.Demand;
import dev.weft.api.job.Command;
import dev.weft.api.job.Input;
import dev.weft.api.job.JobSpec;
import dev.weft.api.job.Merge;
import dev.weft.api.job.RetryRules;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Reads the keys of one job: those of a job file, or of a step in it. */
final class JobSection {
  /** Keys that every job may have. */
  static final List<String> KEYS =
      List.of(
          "name",
          "command",
          "shell",
          "environment",
          "folder",
          "executor",
          "files",
          "input",
          "needs",
          "demand",
          "time-limit",
          "retries",
          "parallel",
          "gang",
          "merge",
          "output",
          "priority");

  private static final List<String> RETRY_KEYS =
      List.of("same-node", "other-node", "back-off", "max-back-off");
  private static final Duration DEFAULT_TIME_LIMIT = Duration.ofHours(1);

  private final Section keys;
  private final Paths paths;
  private final Needs needs;
  private final Map<String, String> results = new HashMap<>();

  /**
   * For one job.
   *
   * @param needs finds the jobs that it needs
   */
  JobSection(Section keys, Paths paths, Needs needs) {
    this.keys = keys;
    this.paths = paths;
    this.needs = needs;
  }

  /**
   * Reads it.
   *
   * @param defaultName what it is called if it says nothing else
   * @return empty if there is any problem
   */
  Optional<JobSpec> read(String defaultName, Problems problems) {
    String name = keys.get("name").flatMap(JobSection::name).orElse(defaultName);
    keys.get("needs").ifPresent(needs::read);
    InputSection.Found input = new InputSection(paths, needs).read(keys.get("input"));
    List<Path> files =
        keys.get("files").map(value -> files(value, inputName(input.input()))).orElse(List.of());
    Optional<Command> command =
        new CommandSection(
                keys,
                input.placeholders(),
                "the input is " + input.kind().map(kind -> "'" + kind + "'").orElse("unknown"),
                results)
            .read();
    Demand demand = DemandSection.read(keys.get("demand"));
    Duration timeLimit =
        keys.get("time-limit").flatMap(Amounts::duration).orElse(DEFAULT_TIME_LIMIT);
    RetryRules retry = keys.get("retries").flatMap(JobSection::retries).orElse(RetryRules.DEFAULT);
    OptionalLong parallel = whole(keys.get("parallel"), 1, JobSpec.MAXIMUM_TASKS);
    boolean gang = gang(input.input());
    Optional<Merge> merge =
        keys.get("merge").map(this::merge).orElse(Optional.of(new Merge.Concatenate()));
    Optional<Path> output = keys.get("output").flatMap(value -> output(value, input));
    long priority = whole(keys.get("priority"), 1, 100).orElse(JobSpec.DEFAULT_PRIORITY);
    if (needs.ids().size() > JobSpec.MAXIMUM_NEEDS) {
      keys.problem("needs more than " + JobSpec.MAXIMUM_NEEDS + " jobs");
    }
    if (!problems.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new JobSpec(
            name,
            command.orElseThrow(),
            files,
            input.input().orElseThrow(),
            demand,
            timeLimit,
            retry,
            merge.orElseThrow(),
            output,
            (int) priority,
            parallel.isPresent() ? OptionalInt.of((int) parallel.getAsLong()) : OptionalInt.empty(),
            gang,
            needs.ids()));
  }

  /** A name for people. */
  static Optional<String> name(Value value) {
    Optional<String> name = value.text("a name", JobSpec.MAXIMUM_NAME);
    if (name.isPresent() && name.get().chars().anyMatch(Character::isISOControl)) {
      value.problem("must be one line without control characters");
      return Optional.empty();
    }
    return name;
  }

  private static Optional<Path> inputFile(Optional<Input> input) {
    if (input.orElse(null) instanceof Input.Lines lines) {
      return Optional.of(lines.file());
    }
    return input.orElse(null) instanceof Input.Bytes bytes
        ? Optional.of(bytes.file())
        : Optional.empty();
  }

  private static Optional<String> inputName(Optional<Input> input) {
    return inputFile(input).map(Path::getFileName).map(Path::toString);
  }

  private List<Path> files(Value value, Optional<String> inputName) {
    List<Path> files = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Value item :
        value.list("a list of paths of files", JobSpec.MAXIMUM_FILES).orElse(List.of())) {
      Optional<Path> file = item.isMap() ? result(item) : paths.file(item);
      if (file.isEmpty()) {
        continue;
      }
      String name = file.get().getFileName().toString();
      if (inputName.isPresent() && inputName.get().equals(name)) {
        item.problem("has the same name as the input, " + name);
      } else if (!names.add(name)) {
        item.problem("a second file with the name " + name);
      }
      files.add(file.get());
    }
    return files;
  }

  private Optional<Path> result(Value item) {
    Optional<Value> name =
        item.section("a map with result", List.of("result"))
            .flatMap(map -> map.require("result", "a step or the id of a job"));
    Optional<Path> file = name.flatMap(needs::result);
    file.ifPresent(
        path -> results.put(name.get().text("a text").get(), path.getFileName().toString()));
    return file;
  }

  private Optional<Path> output(Value value, InputSection.Found input) {
    Optional<Path> output = paths.output(value);
    if (output.isPresent() && output.equals(inputFile(input.input()))) {
      value.problem("is the input itself, " + output.get());
    }
    return output;
  }

  private static Optional<RetryRules> retries(Value value) {
    RetryRules usual = RetryRules.DEFAULT;
    if (!value.isMap()) {
      OptionalLong number = value.whole(0, RetryRules.MAXIMUM);
      return number.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new RetryRules(0, (int) number.getAsLong(), usual.backOff(), usual.maximumBackOff()));
    }
    Section keys = value.section("a number or a map", RETRY_KEYS).orElseThrow();
    long same = whole(keys.get("same-node"), 0, RetryRules.MAXIMUM).orElse(usual.sameNode());
    long other = whole(keys.get("other-node"), 0, RetryRules.MAXIMUM).orElse(usual.otherNode());
    Duration backOff = keys.get("back-off").flatMap(Amounts::wait).orElse(usual.backOff());
    Duration longer =
        backOff.compareTo(usual.maximumBackOff()) > 0 ? backOff : usual.maximumBackOff();
    Duration most = keys.get("max-back-off").flatMap(Amounts::wait).orElse(longer);
    if (most.compareTo(backOff) < 0) {
      keys.get("max-back-off").orElseThrow().problem("must not be shorter than back-off");
      return Optional.empty();
    }
    return Optional.of(new RetryRules((int) same, (int) other, backOff, most));
  }

  private boolean gang(Optional<Input> input) {
    Optional<Value> value = keys.get("gang");
    boolean gang = value.flatMap(Value::flag).orElse(false);
    if (!gang) {
      return false;
    }
    if (keys.get("parallel").isPresent()) {
      value.get().problemAtKey("a gang runs all at once; give parallel or gang, not both");
    }
    int tasks = input.map(Input::shards).orElse(OptionalInt.empty()).orElse(1);
    if (tasks > JobSpec.MAXIMUM_GANG) {
      value
          .get()
          .problemAtKey(
              "a gang has at most %d tasks, the input makes %d"
                  .formatted(JobSpec.MAXIMUM_GANG, tasks));
    }
    return true;
  }

  private Optional<Merge> merge(Value value) {
    if (value.isMap()) {
      Section section = value.section("a command", CommandSection.KEYS).orElseThrow();
      return new CommandSection(
              section,
              Set.of("input", "index"),
              "a merge works on results, not on numbers",
              results)
          .read()
          .map(Merge.Run::new);
    }
    String expected = "concatenate, or a map with command";
    if (value.isList()) {
      return value.unexpected(expected);
    }
    Optional<String> text = value.text(expected);
    if (text.isPresent() && !text.get().equals("concatenate")) {
      return value.unexpected(expected);
    }
    return text.map(concatenate -> new Merge.Concatenate());
  }

  private static OptionalLong whole(Optional<Value> value, long minimum, long maximum) {
    return value.isPresent() ? value.get().whole(minimum, maximum) : OptionalLong.empty();
  }
}
