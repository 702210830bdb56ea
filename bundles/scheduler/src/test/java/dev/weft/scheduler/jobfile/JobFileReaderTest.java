package dev.weft.scheduler.jobfile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.Amount;
import dev.weft.api.Demand;
import dev.weft.api.JobId;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import dev.weft.api.job.Command;
import dev.weft.api.job.Input;
import dev.weft.api.job.JobSpec;
import dev.weft.api.job.Merge;
import dev.weft.api.job.RetryRules;
import dev.weft.core.job.JobService.Problem;
import dev.weft.core.job.JobSource;
import dev.weft.scheduler.JobReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobFileReaderTest {
  private static final Path FOLDER = Path.of("/jobs");
  private static final String TITLE = "==== ";
  private static final String ANSWER = "---->";

  /** A few files that are there and nothing else. */
  private static final class FewFiles implements FileChecks {
    private final Set<String> files =
        Set.of("/jobs/data.csv", "/jobs/run.sh", "/jobs/sub/run.sh", "/jobs/sub/data.csv");

    @Override
    public Optional<String> readableFile(Path file) {
      if (file.equals(Path.of("/jobs/folder"))) {
        return Optional.of(file + " is not a regular file");
      }
      return files.contains(file.toString())
          ? Optional.empty()
          : Optional.of("there is no file " + file);
    }

    @Override
    public Optional<String> readableFolder(Path folder) {
      return folder.equals(Path.of("/jobs/folder"))
          ? Optional.empty()
          : Optional.of("there is no folder " + folder);
    }

    @Override
    public Optional<String> writableFile(Path file) {
      return Path.of("/jobs").equals(file.getParent())
          ? Optional.empty()
          : Optional.of("there is no folder " + file.getParent());
    }
  }

  /** Three jobs that are known; ids of new ones count up. */
  private static final class FewJobs implements Jobs {
    private final List<JobId> known = List.of(id("1a2b"), id("1a77"), id("cafe"));
    private int drawn;

    @Override
    public JobId draw() {
      return id("f" + drawn++);
    }

    @Override
    public List<JobId> find(String prefix) {
      return known.stream().filter(job -> job.hex().startsWith(prefix)).toList();
    }

    @Override
    public Path result(JobId job) {
      return Path.of("/results", job.hex());
    }
  }

  private static JobId id(String first) {
    return new JobId(first + "0".repeat(JobId.LENGTH - first.length()));
  }

  private static JobReader.Read read(String text) {
    return new JobFileReader(new FewFiles(), new FewJobs())
        .read(new JobSource("trace.yaml", text, FOLDER, "ann"));
  }

  private static List<JobReader.Step> steps(String text) {
    JobReader.Read read = read(text);
    if (read instanceof JobReader.Read.Invalid invalid) {
      throw new AssertionError(invalid.problems().toString());
    }
    return ((JobReader.Read.Valid) read).steps();
  }

  private static JobSpec valid(String text) {
    return steps(text).get(0).spec();
  }

  private static List<Problem> problems(String text) {
    return assertInstanceOf(JobReader.Read.Invalid.class, read(text)).problems();
  }

  static Stream<Arguments> badJobFiles() {
    try (InputStream in = JobFileReaderTest.class.getResourceAsStream("bad-job-files.txt")) {
      String all = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      List<Arguments> cases = new ArrayList<>();
      for (String block : all.split("(?m)^" + TITLE, -1)) {
        if (block.isBlank()) {
          continue;
        }
        int text = block.indexOf('\n') + 1;
        int answer = block.indexOf(ANSWER);
        cases.add(
            Arguments.of(
                block.substring(0, text).strip(),
                block.substring(text, answer),
                block.substring(answer + ANSWER.length()).strip()));
      }
      return cases.stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badJobFiles")
  void saysExactlyWhatIsWrong(String title, String text, String expected) {
    String answer =
        problems(text).stream().map(Problem::toString).collect(Collectors.joining("\n"));

    assertEquals(expected, answer, title);
  }

  @Test
  void thirtyBadJobFilesAtLeast() {
    assertTrue(badJobFiles().count() >= 30);
  }

  @Test
  void shortestJobHasDefaults() {
    JobSpec spec = valid("command: [hostname]");

    assertEquals("trace", spec.name());
    assertEquals(
        new Command(List.of("hostname"), new TreeMap<>(), Optional.empty()), spec.command());
    assertEquals(new Input.Count(1), spec.input());
    assertEquals(Resources.ree(Amount.of(1_000, 128L << 20, 0)), spec.demand().resources());
    assertEquals(Duration.ofHours(1), spec.timeLimit());
    assertEquals(RetryRules.DEFAULT, spec.retry());
    assertEquals(new Merge.Concatenate(), spec.merge());
    assertEquals(Optional.empty(), spec.output());
    assertEquals(50, spec.priority());
    assertEquals(List.of(), spec.files());
  }

  @Test
  void everyKeyIsRead() {
    JobSpec spec =
        valid(
            """
            name: a job
            command: [./run.sh, "{input}", 5, true, 1.50]
            environment: {LANG: C, N: 007}
            folder: work
            files: [sub/run.sh]
            input: {lines: {file: data.csv, header: 1, per-shard: 1000}}
            demand: {cpu: 1500m, memory: 1.5GiB, gpu: 0.5, labels: {zone: attic}}
            time-limit: 1h30m
            retries: 0
            merge: {command: sort -u | head, shell: true, environment: {LC_ALL: C}}
            output: result.txt
            priority: 90
            """);

    assertEquals("a job", spec.name());
    assertEquals(
        new Command(
            List.of("./run.sh", "{input}", "5", "true", "1.50"),
            new TreeMap<>(Map.of("LANG", "C", "N", "007")),
            Optional.of("work")),
        spec.command());
    assertEquals(List.of(Path.of("/jobs/sub/run.sh")), spec.files());
    assertEquals(
        new Input.Lines(Path.of("/jobs/data.csv"), 1, OptionalLong.of(1_000), OptionalInt.empty()),
        spec.input());
    assertEquals(Resources.ree(Amount.of(1_500, 3L << 29, 500)), spec.demand().resources());
    assertEquals(Map.of("zone", "attic"), spec.demand().labels());
    assertEquals(Duration.ofMinutes(90), spec.timeLimit());
    assertEquals(
        new Merge.Run(
            new Command(
                List.of("/bin/sh", "-c", "sort -u | head"),
                new TreeMap<>(Map.of("LC_ALL", "C")),
                Optional.empty())),
        spec.merge());
    assertEquals(Optional.of(Path.of("/jobs/result.txt")), spec.output());
    assertEquals(90, spec.priority());
  }

  @Test
  void everyInputIsRead() {
    assertEquals(
        new Input.Bytes(Path.of("/jobs/data.csv"), 64_000_000),
        valid("command: [wc]\ninput: {bytes: {file: data.csv, size: 64MB}}").input());
    assertEquals(
        new Input.Files(Path.of("/jobs/folder"), "*"),
        valid("command: [wc]\ninput: {files: {folder: folder}}").input());
    assertEquals(
        new Input.Range(-5, 5, 2, OptionalInt.of(3)),
        valid("command: [wc]\ninput: {range: {from: -5, to: 5, step: 2, shards: 3}}").input());
  }

  @Test
  void keysOfPlacementAndRetriesAreRead() {
    JobSpec spec =
        valid(
            """
            command: [train]
            input: {count: 8}
            demand: {cpu: 0, memory: 0, gpu: 2, gpu-memory: 16GiB, counters: {licence: 3}}
            retries: {same-node: 1, other-node: 4, back-off: 5s, max-back-off: 2m}
            gang: true
            """);

    assertEquals(
        Resources.ree(
            Amount.of(
                Map.of(
                    ResourceType.GPU,
                    2_000L,
                    ResourceType.GPU_MEMORY,
                    16L << 30,
                    new ResourceType("licence"),
                    3L))),
        spec.demand().resources());
    assertEquals(new RetryRules(1, 4, Duration.ofSeconds(5), Duration.ofMinutes(2)), spec.retry());
    assertTrue(spec.gang());
    assertEquals(
        OptionalInt.of(3), valid("command: [a]\nparallel: 3\ninput: {count: 8}").parallel());
  }

  @Test
  void retriesMayBeANumberOrAMapWithAnyKeys() {
    assertEquals(
        new RetryRules(0, 7, Duration.ofSeconds(1), Duration.ofMinutes(1)),
        valid("command: [a]\nretries: 7").retry());
    assertEquals(
        new RetryRules(3, 2, Duration.ofSeconds(1), Duration.ofMinutes(1)),
        valid("command: [a]\nretries: {same-node: 3}").retry());
    assertEquals(
        new RetryRules(0, 2, Duration.ofHours(1), Duration.ofHours(1)),
        valid("command: [a]\nretries: {back-off: 1h}").retry());
    assertEquals(Duration.ZERO, valid("command: [a]\nretries: {back-off: 0s}").retry().backOff());
  }

  @Test
  void workBecomesTheAmountThatDoesItInTime() {
    Demand cores = valid("command: [a]\ndemand: {work: {cpu: 3600, within: 16m}}").demand();
    Demand share = valid("command: [a]\ndemand: {work: {gpu: 20, within: 40s}}").demand();
    Demand whole = valid("command: [a]\ndemand: {work: {gpu: 90, within: 1m}}").demand();

    assertEquals(
        Optional.of(new Demand.Work(ResourceType.CPU, 3_600_000, Duration.ofMinutes(16))),
        cores.work());
    assertEquals(Resources.ree(Amount.of(3_750, 128L << 20, 0)), cores.resources());
    assertEquals(Resources.ree(Amount.of(1_000, 128L << 20, 500)), share.resources());
    assertEquals(Resources.ree(Amount.of(1_000, 128L << 20, 2_000)), whole.resources());
  }

  @Test
  void aTaskThatDoesNothingNeedsNoCommand() {
    Command command = valid("executor: noop\ninput: {count: 3}").command();

    assertEquals("noop", command.kind());
    assertEquals(Command.PROCESS, valid("command: [a]").command().kind());
  }

  @Test
  void aJobMayNeedKnownJobsAndReadTheirResults() {
    JobSpec spec =
        valid(
            """
            command: [paste, "{input}", "{result.1A77}"]
            needs: [cafe]
            files: [run.sh, result: 1A77]
            input: {lines: {result: 1a2b, header: 1, shards: 8}}
            merge: {command: [sort, "{result.1A77}"]}
            """);

    assertEquals(List.of(id("cafe"), id("1a2b"), id("1a77")), spec.needs());
    assertEquals(
        new Input.Lines(
            Path.of("/results", id("1a2b").hex()), 1, OptionalLong.empty(), OptionalInt.of(8)),
        spec.input());
    assertEquals(
        List.of(Path.of("/jobs/run.sh"), Path.of("/results", id("1a77").hex())), spec.files());
    assertEquals(List.of("paste", "{input}", id("1a77").hex()), spec.command().arguments());
    assertEquals(
        List.of("sort", id("1a77").hex()), ((Merge.Run) spec.merge()).command().arguments());
  }

  @Test
  void stepsBecomeJobsEachAfterThoseThatItNeeds() {
    List<JobReader.Step> steps =
        steps(
            """
            name: report
            steps:
              join:
                command: [paste, "{result.left}", "{result.right}"]
                files: [result: left, result: right]
              right:
                command: [sort]
                needs: [clean]
                input: {bytes: {result: clean, size: 1MB}}
              left:
                name: the left one
                command: [sort, -r]
                input: {lines: {result: clean}}
              clean:
                command: [sort, -u]
                needs: [cafe]
                input: {lines: {file: data.csv}}
            """);

    assertEquals(
        List.of("report/clean", "report/right", "the left one", "report/join"),
        steps.stream().map(step -> step.spec().name()).toList());
    JobId clean = steps.get(0).id();
    JobId right = steps.get(1).id();
    JobId left = steps.get(2).id();
    assertEquals(4, Set.copyOf(steps.stream().map(JobReader.Step::id).toList()).size());
    assertEquals(List.of(id("cafe")), steps.get(0).spec().needs());
    assertEquals(List.of(clean), steps.get(1).spec().needs());
    assertEquals(List.of(clean), steps.get(2).spec().needs());
    assertEquals(List.of(left, right), steps.get(3).spec().needs());
    assertEquals(
        new Input.Bytes(Path.of("/results", clean.hex()), 1_000_000), steps.get(1).spec().input());
    assertEquals(
        List.of("paste", left.hex(), right.hex()), steps.get(3).spec().command().arguments());
  }

  @Test
  void theResultIsThatOfTheLastStepThatNoOtherNeeds() {
    List<JobReader.Step> steps =
        steps(
            """
            steps:
              early: {command: [sort], input: {lines: {result: base}}}
              late: {command: [sort]}
              base: {command: [sort]}
            """);

    assertEquals(
        List.of("trace/base", "trace/early", "trace/late"),
        steps.stream().map(step -> step.spec().name()).toList());
  }

  @Test
  void longNamesOfStepsKeepTheirEnd() {
    String name =
        steps("name: " + "n".repeat(99) + "\nsteps: {sort: {command: [sort]}}")
            .get(0)
            .spec()
            .name();

    assertEquals("n".repeat(95) + "/sort", name);
  }

  @Test
  void moreStepsThanAllowedAreRefused() {
    StringBuilder text = new StringBuilder("steps:\n");
    for (int i = 0; i < 65; i++) {
      text.append("  s").append(i).append(": {command: [sort]}\n");
    }

    assertEquals(
        List.of(new Problem(2, 3, "steps", "has 65 steps; at most 64")), problems(text.toString()));
  }

  @Test
  void aliasesWithinTheLimitAreFollowed() {
    JobSpec spec =
        valid(
            """
            command: [env]
            environment: &e {LC_ALL: C}
            merge: {command: [sort], environment: *e}
            """);

    assertEquals(Map.of("LC_ALL", "C"), ((Merge.Run) spec.merge()).command().environment());
  }

  @Test
  void ofVeryManyProblemsTwentyAreListed() {
    StringBuilder text = new StringBuilder("command: [sort]\n");
    for (int i = 0; i < 100; i++) {
      text.append("zzzzzzzz").append(i).append(": 1\n");
    }

    List<Problem> problems = problems(text.toString());

    assertEquals(21, problems.size());
    assertEquals(new Problem(0, 0, "", "80 more, not listed"), problems.get(20));
  }

  @Test
  void controlCharactersAreNotYaml() {
    assertEquals(
        List.of(new Problem(2, 12, "", "the character U+0007 is not allowed in YAML")),
        problems("name: x\ncommand: [a\u0007b]"));
  }

  @Test
  void textLongerThanTheLimitIsNotParsed() {
    assertEquals(
        "has 262145 characters; at most 262144",
        problems("#".repeat(JobSource.MAXIMUM_CHARACTERS + 1)).get(0).message());
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{a: ", "- ", "? ", "&a ", "a:\n "})
  void hostileTextEndsWithAProblem(String piece) {
    String text = piece.repeat(JobSource.MAXIMUM_CHARACTERS / piece.length());

    assertTrue(!problems(text).isEmpty());
  }
}
