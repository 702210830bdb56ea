package dev.weft.scheduler.jobfile;

import dev.weft.api.Amount;
import dev.weft.api.Demand;
import dev.weft.api.JobId;
import dev.weft.api.Resources;
import dev.weft.api.job.Command;
import dev.weft.api.job.Input;
import dev.weft.api.job.JobSpec;
import dev.weft.api.job.Merge;
import dev.weft.api.job.RetryRules;
import dev.weft.core.job.JobSource;
import dev.weft.scheduler.JobReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads a job file as {@code docs/job-file.md} describes it. Every problem is reported, not only
 * the first. Depends on nothing but the text and the answers of {@link FileChecks}.
 */
public final class JobFileReader implements JobReader {
  private static final List<String> KEYS =
      List.of(
          "name",
          "command",
          "shell",
          "environment",
          "folder",
          "files",
          "input",
          "demand",
          "time-limit",
          "retries",
          "merge",
          "output",
          "priority");
  private static final long DEFAULT_CPU_MILLI = 1_000;
  private static final long DEFAULT_MEMORY = 128L << 20;
  private static final Duration DEFAULT_TIME_LIMIT = Duration.ofHours(1);
  private static final long DEFAULT_RETRIES = 2;
  private static final int MAXIMUM_LABELS = 32;
  private static final int MAXIMUM_LABEL = 63;

  private final FileChecks checks;
  private final Supplier<JobId> ids;

  /**
   * A reader.
   *
   * @param checks asked about files
   * @param ids draws the id of each job
   */
  public JobFileReader(FileChecks checks, Supplier<JobId> ids) {
    this.checks = Objects.requireNonNull(checks, "checks");
    this.ids = Objects.requireNonNull(ids, "ids");
  }

  @Override
  public Read read(JobSource source) {
    Problems problems = new Problems();
    Optional<Node> node = YamlText.read(source.text(), problems);
    Optional<Section> root =
        node.flatMap(
            found -> Value.root(found, problems).section("a map of keys and values", KEYS));
    Optional<JobSpec> spec =
        root.flatMap(section -> job(section, source, new Paths(source.folder(), checks), problems));
    return spec.isPresent()
        ? new Read.Valid(List.of(new Step(ids.get(), spec.get())))
        : new Read.Invalid(problems.list());
  }

  private static Optional<JobSpec> job(
      Section root, JobSource source, Paths paths, Problems problems) {
    String name = root.get("name").flatMap(JobFileReader::name).orElse(defaultName(source));
    InputSection.Found input = new InputSection(paths).read(root.get("input"));
    Optional<Command> command =
        new CommandSection(
                root,
                input.placeholders(),
                "the input is " + input.kind().map(kind -> "'" + kind + "'").orElse("unknown"))
            .read();
    List<Path> files =
        root.get("files")
            .map(value -> files(value, paths, inputName(input.input())))
            .orElse(List.of());
    Demand demand = demand(root.get("demand"));
    Duration timeLimit =
        root.get("time-limit").flatMap(Amounts::duration).orElse(DEFAULT_TIME_LIMIT);
    long retries = whole(root.get("retries"), 0, RetryRules.MAXIMUM).orElse(DEFAULT_RETRIES);
    Optional<Merge> merge =
        root.get("merge").map(JobFileReader::merge).orElse(Optional.of(new Merge.Concatenate()));
    Optional<Path> output = root.get("output").flatMap(value -> output(value, paths, input));
    long priority = whole(root.get("priority"), 1, 100).orElse(JobSpec.DEFAULT_PRIORITY);
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
            new RetryRules(
                0,
                (int) retries,
                RetryRules.DEFAULT.backOff(),
                RetryRules.DEFAULT.maximumBackOff()),
            merge.orElseThrow(),
            output,
            (int) priority,
            OptionalInt.empty(),
            false,
            List.of()));
  }

  private static Optional<String> name(Value value) {
    Optional<String> name = value.text("a name", JobSpec.MAXIMUM_NAME);
    if (name.isPresent() && name.get().chars().anyMatch(Character::isISOControl)) {
      value.problem("must be one line without control characters");
      return Optional.empty();
    }
    return name;
  }

  /** The name of the job file without its ending. */
  private static String defaultName(JobSource source) {
    String file = source.name().substring(source.name().lastIndexOf('/') + 1);
    String plain = file.replaceFirst("\\.ya?ml$", "").replaceAll("\\p{Cntrl}", "?");
    String name = plain.isEmpty() || plain.equals("-") ? "job" : plain;
    return name.length() > JobSpec.MAXIMUM_NAME ? name.substring(0, JobSpec.MAXIMUM_NAME) : name;
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

  private static List<Path> files(Value value, Paths paths, Optional<String> inputName) {
    List<Path> files = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Value item :
        value.list("a list of paths of files", JobSpec.MAXIMUM_FILES).orElse(List.of())) {
      Optional<Path> file = paths.file(item);
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

  private static Optional<Path> output(Value value, Paths paths, InputSection.Found input) {
    Optional<Path> output = paths.output(value);
    if (output.isPresent() && output.equals(inputFile(input.input()))) {
      value.problem("is the input itself, " + output.get());
    }
    return output;
  }

  private static Demand demand(Optional<Value> value) {
    Optional<Section> section =
        value.flatMap(
            found ->
                found.section(
                    "a map with cpu, memory, gpu or labels",
                    List.of("cpu", "memory", "gpu", "labels")));
    long cpu = section.flatMap(s -> s.get("cpu")).flatMap(Amounts::cores).orElse(DEFAULT_CPU_MILLI);
    long memory =
        section.flatMap(s -> s.get("memory")).flatMap(Amounts::bytes).orElse(DEFAULT_MEMORY);
    long gpu = section.flatMap(s -> s.get("gpu")).flatMap(Amounts::devices).orElse(0L);
    TreeMap<String, String> labels = new TreeMap<>();
    section.flatMap(s -> s.get("labels")).ifPresent(found -> labels.putAll(labels(found)));
    return new Demand(Resources.ree(Amount.of(cpu, memory, gpu)), labels);
  }

  private static Map<String, String> labels(Value value) {
    Map<String, String> labels = new TreeMap<>();
    Map<String, Value> entries = value.entries("a map of labels");
    if (entries.size() > MAXIMUM_LABELS) {
      value.problem("has " + entries.size() + " labels; at most " + MAXIMUM_LABELS);
      return labels;
    }
    entries.forEach(
        (key, entry) -> {
          if (key.isEmpty() || key.length() > MAXIMUM_LABEL) {
            entry.problemAtKey("a label's name has 1 to " + MAXIMUM_LABEL + " characters");
          } else {
            entry.text("a text", MAXIMUM_LABEL).ifPresent(text -> labels.put(key, text));
          }
        });
    return labels;
  }

  private static Optional<Merge> merge(Value value) {
    if (value.isMap()) {
      Section section = value.section("a command", CommandSection.KEYS).orElseThrow();
      return new CommandSection(
              section, Set.of("input", "index"), "a merge works on results, not on numbers")
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
