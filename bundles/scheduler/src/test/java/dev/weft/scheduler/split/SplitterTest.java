package dev.weft.scheduler.split;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.Amount;
import dev.weft.api.ContentId;
import dev.weft.api.Demand;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.TaskId;
import dev.weft.api.job.Command;
import dev.weft.api.job.Input;
import dev.weft.api.job.JobSpec;
import dev.weft.api.job.Merge;
import dev.weft.api.job.RetryRules;
import dev.weft.api.job.Shard;
import dev.weft.api.policy.NodeView;
import dev.weft.api.policy.PoolView;
import dev.weft.api.policy.SplitPolicy;
import dev.weft.api.policy.SplitPolicy.Piece;
import dev.weft.core.loop.PluginGuard;
import dev.weft.core.message.Message;
import dev.weft.core.staging.StagingArea;
import dev.weft.scheduler.JobSplitter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SplitterTest {
  private static final JobId JOB = new JobId("0123456789abcdef0123456789abcdef");

  @TempDir Path folder;
  private final Offered staging = new Offered();

  /** Remembers what was offered. */
  private static final class Offered implements StagingArea {
    private final Map<ContentId, Source> sources = new LinkedHashMap<>();

    @Override
    public int port() {
      return 0;
    }

    @Override
    public void offer(JobId job, ContentId content, Source source) {
      sources.put(content, source);
    }

    @Override
    public ContentId keep(TaskId task, byte[] result) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Source result(TaskId task, ContentId content) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void forget(JobId job) {
      sources.clear();
    }

    byte[] read(ContentId content) throws IOException {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      for (Segment segment : sources.get(content).segments()) {
        byte[] all = Files.readAllBytes(segment.file());
        out.write(all, (int) segment.offset(), (int) segment.length());
      }
      return out.toByteArray();
    }
  }

  private static final class NoNodes implements PoolView {
    @Override
    public Collection<NodeView> nodes() {
      return List.of();
    }

    @Override
    public Optional<NodeView> node(NodeId id) {
      return Optional.empty();
    }
  }

  private Splitter splitter(SplitPolicy policy) {
    return splitter(Optional.of(new SplitPolicies.Active(policy, "test 1")), 1_000);
  }

  private Splitter splitter(Optional<SplitPolicies.Active> policy, int maximumTasks) {
    return new Splitter(
        () -> policy, NoNodes::new, new PluginGuard(Duration.ofSeconds(2)), staging, maximumTasks);
  }

  private static List<Piece> even(SplitPolicy.Request request, PoolView pool, long seed) {
    long shards = Math.min(request.shards().orElse(4), request.units());
    List<Piece> pieces = new ArrayList<>();
    for (long i = 0; i < shards; i++) {
      pieces.add(new Piece(i * request.units() / shards, (i + 1) * request.units() / shards));
    }
    return pieces;
  }

  private static JobSpec spec(Input input, Path... files) {
    return new JobSpec(
        "test",
        new Command(List.of("wc"), new TreeMap<>(), Optional.empty()),
        List.of(files),
        input,
        Demand.of(Resources.ree(Amount.of(1_000, 1_000, 0))),
        Duration.ofHours(1),
        RetryRules.DEFAULT,
        new Merge.Concatenate(),
        Optional.empty(),
        50,
        OptionalInt.empty(),
        false,
        List.of());
  }

  private static Input.Lines lines(Path file, int header, int shards) {
    return new Input.Lines(file, header, OptionalLong.empty(), OptionalInt.of(shards));
  }

  private static JobSplitter.Result.Cut cut(JobSplitter.Result result) {
    return assertInstanceOf(JobSplitter.Result.Cut.class, result, result.toString());
  }

  private static Fault fault(JobSplitter.Result result) {
    return assertInstanceOf(JobSplitter.Result.NotCut.class, result).fault();
  }

  private List<byte[]> contents(JobSplitter.Result.Cut cut) throws Exception {
    List<byte[]> contents = new ArrayList<>();
    for (Shard shard : cut.shards()) {
      ContentId content = ((Shard.Content) shard).content();
      byte[] bytes = staging.read(content);
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      assertEquals(content.sha256(), HexFormat.of().formatHex(digest.digest(bytes)));
      assertEquals(content.length(), bytes.length);
      contents.add(bytes);
    }
    return contents;
  }

  private List<String> texts(JobSplitter.Result result) throws Exception {
    return contents(cut(result)).stream()
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
        .toList();
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void anyFileIsCoveredExactlyOnceAndCutAtLineEnds() throws Exception {
    for (long seed = 1; seed <= 300; seed++) {
      Random random = new Random(seed);
      String message = "seed " + seed;
      int header = random.nextInt(3);
      byte[] head = randomLines(random, header, 20, true);
      byte[] body = randomLines(random, 1 + random.nextInt(200), 1 + random.nextInt(80), false);
      Path file = folder.resolve("input.csv");
      Files.write(file, join(List.of(head, body)));

      JobSplitter.Result.Cut cut =
          cut(splitter(randomPolicy(random)).split(JOB, spec(randomCut(random, file, header))));

      List<byte[]> bodies = new ArrayList<>();
      List<byte[]> contents = contents(cut);
      for (int i = 0; i < contents.size(); i++) {
        byte[] content = contents.get(i);
        assertArrayEquals(head, Arrays.copyOf(content, head.length), message);
        assertTrue(content.length > head.length, message);
        if (i < contents.size() - 1) {
          assertEquals('\n', content[content.length - 1], message);
        }
        bodies.add(Arrays.copyOfRange(content, head.length, content.length));
      }
      assertArrayEquals(body, join(bodies), message);
    }
  }

  private static SplitPolicy randomPolicy(Random random) {
    return (request, pool, seed) -> {
      List<Piece> pieces = new ArrayList<>();
      long at = 0;
      while (at < request.units()) {
        long next = Math.min(request.units(), at + 1 + random.nextInt(400));
        pieces.add(new Piece(at, next));
        at = next;
      }
      return pieces;
    };
  }

  private static Input randomCut(Random random, Path file, int header) {
    if (header == 0 && random.nextInt(3) == 0) {
      return new Input.Bytes(file, 1 + random.nextInt(500));
    }
    return random.nextBoolean()
        ? lines(file, header, 4)
        : new Input.Lines(
            file, header, OptionalLong.of(1 + random.nextInt(9)), OptionalInt.empty());
  }

  private static byte[] randomLines(Random random, int lines, int longest, boolean endAlways) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int line = 0; line < lines; line++) {
      for (int i = random.nextInt(longest); i > 0; i--) {
        out.write('a' + random.nextInt(26));
      }
      if (random.nextInt(4) == 0) {
        out.write('\r');
      }
      if (endAlways || line < lines - 1 || out.size() == 0 || random.nextBoolean()) {
        out.write('\n');
      }
    }
    return out.toByteArray();
  }

  private static byte[] join(List<byte[]> parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    parts.forEach(out::writeBytes);
    return out.toByteArray();
  }

  @Test
  void cutsMoveToTheNextLineEnd() throws Exception {
    Path file = file("input", "h\naaaa\nbb\ncccccccc\nd");

    assertEquals(
        List.of("h\naaaa\nbb\n", "h\ncccccccc\n", "h\nd"),
        texts(splitter(SplitterTest::even).split(JOB, spec(lines(file, 1, 3)))));
  }

  @Test
  void aCutAtALineEndStays() throws Exception {
    Path file = file("input", "aaa\nbbb\nccc\nddd\n");

    assertEquals(
        List.of("aaa\nbbb\n", "ccc\nddd\n"),
        texts(splitter(SplitterTest::even).split(JOB, spec(lines(file, 0, 2)))));
  }

  @Test
  void oneLongLineIsOneShard() throws Exception {
    Path file = file("input", "x".repeat(3_000_000) + "\ny\n");

    assertEquals(
        List.of(3_000_001, 2),
        texts(splitter(SplitterTest::even).split(JOB, spec(lines(file, 0, 8)))).stream()
            .map(String::length)
            .toList());
  }

  @Test
  void policyIsStamped() throws Exception {
    Path file = file("input", "a\n");

    JobSplitter splitter = splitter(SplitterTest::even);

    assertEquals("test 1", cut(splitter.split(JOB, spec(lines(file, 0, 1)))).policy());
    assertEquals("", cut(splitter.split(JOB, spec(new Input.Count(1)))).policy());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void nothingToDoIsAFault(int header) throws Exception {
    Path file = file("input", header == 0 ? "" : "only a header");

    Fault fault = fault(splitter(SplitterTest::even).split(JOB, spec(lines(file, header, 1))));

    assertEquals("input.empty", fault.code());
    assertEquals(Fault.Category.USER, fault.category());
    assertTrue(fault.message().startsWith(file.toString()), fault.message());
  }

  @Test
  void vanishedFileIsAFault() {
    Fault fault =
        fault(splitter(SplitterTest::even).split(JOB, spec(lines(folder.resolve("gone"), 0, 1))));

    assertEquals("input.unreadable", fault.code());
  }

  @Test
  void fileThatGrowsMeanwhileIsAFault() throws Exception {
    Path file = file("input", "a\nb\n");
    SplitPolicy writer =
        (request, pool, seed) -> {
          append(file, "c\n");
          return even(request, pool, seed);
        };

    assertEquals(
        "input.changed", fault(splitter(writer).split(JOB, spec(lines(file, 0, 1)))).code());
  }

  private static void append(Path file, String text) {
    try {
      Files.writeString(file, Files.readString(file) + text);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void lineLongerThanTheLimitIsAFault() throws Exception {
    Path file = folder.resolve("input");
    byte[] block = new byte[1 << 20];
    Arrays.fill(block, (byte) 'x');
    try (OutputStream out = Files.newOutputStream(file)) {
      out.write("short\n".getBytes(StandardCharsets.UTF_8));
      for (int i = 0; i < 65; i++) {
        out.write(block);
      }
    }

    Fault fault = fault(splitter(SplitterTest::even).split(JOB, spec(lines(file, 0, 1))));

    assertEquals("input.line-too-long", fault.code());
    assertTrue(fault.message().contains("at byte 6;"), fault.message());
  }

  @Test
  void tooManyShardsIsAFault() throws Exception {
    Path file = file("input", "a\nb\nc\nd\n");
    Input.Lines each = new Input.Lines(file, 0, OptionalLong.of(1), OptionalInt.empty());

    assertEquals(4, cut(splitter(Optional.empty(), 4).split(JOB, spec(each))).shards().size());
    assertEquals(
        "input.too-many-shards",
        fault(splitter(Optional.empty(), 3).split(JOB, spec(each))).code());
  }

  @Test
  void withoutAPolicyTheJobWaitsForOne() throws Exception {
    Path file = file("input", "a\n");

    Fault fault = fault(splitter(Optional.empty(), 10).split(JOB, spec(lines(file, 0, 1))));

    assertEquals("split.no-policy", fault.code());
    assertTrue(fault.retry());
  }

  @Test
  void policyThatAnswersWronglyIsRefused() {
    Input.Range range = new Input.Range(1, 10, 1, OptionalInt.empty());
    Map<SplitPolicy, String> wrong =
        Map.of(
            (request, pool, seed) -> List.of(new Piece(0, 4), new Piece(5, 10)), "unit 4",
            (request, pool, seed) -> List.of(new Piece(0, 4), new Piece(3, 10)), "unit 4",
            (request, pool, seed) -> List.of(new Piece(0, 9)), "9 of 10",
            (request, pool, seed) -> List.of(new Piece(0, 11)), "11 of 10",
            (request, pool, seed) -> List.of(), "0 of 10",
            (request, pool, seed) -> {
                  throw new IllegalStateException("oops");
                },
                "oops");
    wrong.forEach(
        (policy, message) -> {
          Fault fault = fault(splitter(policy).split(JOB, spec(range)));
          assertEquals("split.policy", fault.code());
          assertTrue(fault.message().contains(message), fault.message());
        });
  }

  @Test
  void rangeIsCutIntoNumbers() {
    Input.Range range = new Input.Range(10, 20, 3, OptionalInt.of(2));

    assertEquals(
        List.of(new Shard.Numbers(10, 13, 3), new Shard.Numbers(16, 19, 3)),
        cut(splitter(SplitterTest::even).split(JOB, spec(range))).shards());
  }

  @Test
  void countIsThatManyShards() {
    assertEquals(
        List.of(new Shard.Index(), new Shard.Index()),
        cut(splitter(Optional.empty(), 10).split(JOB, spec(new Input.Count(2)))).shards());
  }

  @Test
  void eachFileOfAFolderIsAShard() throws Exception {
    Path inputs = Files.createDirectory(folder.resolve("in"));
    Files.writeString(inputs.resolve("b.csv"), "bb");
    Files.writeString(inputs.resolve("a.csv"), "");
    Files.writeString(inputs.resolve("c.txt"), "c");
    Files.createDirectory(inputs.resolve("d.csv"));
    Path script = file("run.sh", "echo");
    assertTrue(script.toFile().setExecutable(true));

    JobSplitter.Result.Cut cut =
        cut(
            splitter(Optional.empty(), 10)
                .split(JOB, spec(new Input.Files(inputs, "*.csv"), script)));

    assertEquals(
        List.of("a.csv", "b.csv"),
        cut.shards().stream().map(shard -> ((Shard.Content) shard).name()).toList());
    assertEquals(List.of("", "bb"), texts(cut));
    Message.StagedFile staged = cut.files().get(0);
    assertEquals("run.sh", staged.name());
    assertTrue(staged.executable());
    assertArrayEquals(Files.readAllBytes(script), staging.read(staged.content()));
  }

  @Test
  void folderWithoutAFittingFileIsAFault() {
    assertEquals(
        "input.empty",
        fault(splitter(Optional.empty(), 10).split(JOB, spec(new Input.Files(folder, "*.csv"))))
            .code());
  }

  @Test
  void inputAndExtraFileOfOneNameAreAFault() throws Exception {
    Path extra = Files.createDirectory(folder.resolve("x")).resolve("a.csv");
    Files.writeString(extra, "1");
    file("a.csv", "2");

    assertEquals(
        "input.name",
        fault(
                splitter(Optional.empty(), 10)
                    .split(JOB, spec(new Input.Files(folder, "*.csv"), extra)))
            .code());
  }
}
