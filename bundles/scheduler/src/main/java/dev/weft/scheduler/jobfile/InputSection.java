package dev.weft.scheduler.jobfile;

import dev.weft.api.job.Input;
import dev.weft.api.job.JobSpec;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.PatternSyntaxException;

/** Reads {@code input}. */
final class InputSection {
  private static final List<String> KEYS = List.of("lines", "bytes", "files", "range", "count");
  private static final String EXPECTED = "one of " + String.join(", ", KEYS);
  private static final int MAXIMUM_HEADER = 1_000;
  private static final int MAXIMUM_PATTERN = 255;

  /** So that the distance of two numbers is one as well. */
  private static final long MAXIMUM_NUMBER = 4_000_000_000_000_000_000L;

  private final Paths paths;
  private final Needs needs;

  /**
   * For one job.
   *
   * @param needs finds the jobs whose results are read
   */
  InputSection(Paths paths, Needs needs) {
    this.paths = paths;
    this.needs = needs;
  }

  /**
   * What is known of the input, even if it is not right as a whole.
   *
   * @param kind which key was used; empty if that is not clear
   * @param input the input; empty if it is not right
   */
  record Found(Optional<String> kind, Optional<Input> input) {
    /** Placeholders with a value; all of them if the kind is not known. */
    Set<String> placeholders() {
      return switch (kind.orElse("")) {
        case "lines", "bytes", "files" -> Set.of("input", "index");
        case "range" -> Set.of("index", "from", "to", "step");
        case "count" -> Set.of("index");
        default -> Set.of("input", "index", "from", "to", "step");
      };
    }
  }

  Found read(Optional<Value> value) {
    if (value.isEmpty()) {
      return new Found(Optional.of("count"), Optional.of(new Input.Count(1)));
    }
    Optional<Section> section = value.get().section("a map with " + EXPECTED, KEYS);
    if (section.isEmpty()) {
      return new Found(Optional.empty(), Optional.empty());
    }
    List<String> used = KEYS.stream().filter(key -> section.get().get(key).isPresent()).toList();
    if (used.size() != 1) {
      String have = used.isEmpty() ? "none" : String.join(" and ", used);
      value.get().problem("expected exactly " + EXPECTED + ", not " + have);
      return new Found(Optional.empty(), Optional.empty());
    }
    String kind = used.get(0);
    Value inner = section.get().get(kind).orElseThrow();
    Optional<? extends Input> input =
        switch (kind) {
          case "lines" -> lines(inner);
          case "bytes" -> bytes(inner);
          case "files" -> files(inner);
          case "range" -> range(inner);
          default -> count(inner);
        };
    return new Found(Optional.of(kind), input.map(found -> found));
  }

  private Optional<Input.Lines> lines(Value value) {
    Optional<Section> found =
        value.section(
            "a map with file or result",
            List.of("file", "result", "header", "shards", "per-shard"));
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Section section = found.get();
    Optional<Path> file = file(section);
    OptionalLong header = whole(section, "header", 0, MAXIMUM_HEADER);
    OptionalInt shards = shards(section);
    OptionalLong perShard = whole(section, "per-shard", 1, Long.MAX_VALUE);
    if (section.get("shards").isPresent() && section.get("per-shard").isPresent()) {
      section.get("per-shard").get().problemAtKey("give shards or per-shard, not both");
      return Optional.empty();
    }
    return file.map(path -> new Input.Lines(path, (int) header.orElse(0), perShard, shards));
  }

  /** The file, or the result of a job that is needed. */
  private Optional<Path> file(Section section) {
    Optional<Value> result = section.get("result");
    if (result.isEmpty()) {
      return section.require("file", "the path of the file").flatMap(paths::file);
    }
    if (section.get("file").isPresent()) {
      result.get().problemAtKey("give file or result, not both");
    }
    return needs.result(result.get());
  }

  private Optional<Input.Bytes> bytes(Value value) {
    Optional<Section> found =
        value.section("a map with file or result, and size", List.of("file", "result", "size"));
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Optional<Path> file = file(found.get());
    Optional<Long> size =
        found
            .get()
            .require("size", "how much each shard gets")
            .flatMap(each -> Amounts.bytes(each, 1));
    return file.flatMap(path -> size.map(bytes -> new Input.Bytes(path, bytes)));
  }

  private Optional<Input.Files> files(Value value) {
    Optional<Section> found = value.section("a map with folder", List.of("folder", "pattern"));
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Optional<Path> folder =
        found.get().require("folder", "the path of the folder").flatMap(paths::folder);
    Optional<Value> given = found.get().get("pattern");
    Optional<String> pattern =
        given.isEmpty() ? Optional.of("*") : given.flatMap(InputSection::pattern);
    return folder.flatMap(path -> pattern.map(glob -> new Input.Files(path, glob)));
  }

  private static Optional<String> pattern(Value value) {
    Optional<String> pattern = value.text("a pattern of file names", MAXIMUM_PATTERN);
    if (pattern.isEmpty()) {
      return pattern;
    }
    if (pattern.get().contains("/")) {
      value.problem("is a pattern of names, without '/'; sub-folders are not entered");
      return Optional.empty();
    }
    try {
      FileSystems.getDefault().getPathMatcher("glob:" + pattern.get());
      return pattern;
    } catch (PatternSyntaxException e) {
      return value.unexpected("a pattern such as *.csv or part-[0-9]*");
    }
  }

  private static Optional<Input.Range> range(Value value) {
    Optional<Section> found =
        value.section("a map with from and to", List.of("from", "to", "step", "shards"));
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Section section = found.get();
    section.require("from", "the first number");
    section.require("to", "the last number");
    OptionalLong from = whole(section, "from", -MAXIMUM_NUMBER, MAXIMUM_NUMBER);
    OptionalLong to = whole(section, "to", -MAXIMUM_NUMBER, MAXIMUM_NUMBER);
    OptionalLong step = whole(section, "step", 1, MAXIMUM_NUMBER);
    OptionalInt shards = shards(section);
    if (from.isEmpty() || to.isEmpty()) {
      return Optional.empty();
    }
    if (to.getAsLong() < from.getAsLong()) {
      section.get("to").orElseThrow().problem("must not be before from, " + from.getAsLong());
      return Optional.empty();
    }
    return Optional.of(new Input.Range(from.getAsLong(), to.getAsLong(), step.orElse(1), shards));
  }

  private static Optional<Input.Count> count(Value value) {
    OptionalLong count = value.whole(1, JobSpec.MAXIMUM_TASKS);
    return count.isPresent()
        ? Optional.of(new Input.Count((int) count.getAsLong()))
        : Optional.empty();
  }

  private static OptionalInt shards(Section section) {
    OptionalLong shards = whole(section, "shards", 1, JobSpec.MAXIMUM_TASKS);
    return shards.isPresent() ? OptionalInt.of((int) shards.getAsLong()) : OptionalInt.empty();
  }

  private static OptionalLong whole(Section section, String key, long minimum, long maximum) {
    Optional<Value> value = section.get(key);
    return value.isPresent() ? value.get().whole(minimum, maximum) : OptionalLong.empty();
  }
}
