package dev.weft.scheduler;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.ContentId;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.TaskId;
import dev.weft.core.message.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How results are put together and written, on a real disk. */
class ResultsTest {
  private static final JobId JOB = CoreDriver.jobId(1);

  @TempDir Path folder;
  private FolderStaging staging;
  private Results results;

  @BeforeEach
  void open() throws IOException {
    staging = new FolderStaging(Files.createDirectory(folder.resolve("staging")));
    results = new Results(folder.resolve("results"), staging);
  }

  private List<SchedulerEffect.Piece> keep(String... texts) throws IOException {
    List<SchedulerEffect.Piece> pieces = new ArrayList<>();
    for (String text : texts) {
      TaskId task = new TaskId(JOB, pieces.size());
      pieces.add(new SchedulerEffect.Piece(task, staging.keep(task, text.getBytes(UTF_8))));
    }
    return pieces;
  }

  @Test
  void resultsFollowEachOtherInOrderOfIndex() throws IOException {
    Path output = folder.resolve("out.txt");
    Files.writeString(output, "old and longer than the new one");
    assertEquals(
        Optional.empty(), results.deliver(JOB, keep("a\n", "", "bc\n"), Optional.of(output)));
    assertEquals("a\nbc\n", Files.readString(output));
    assertEquals("a\nbc\n", Files.readString(results.of(JOB)));
    try (Stream<Path> left = Files.list(folder)) {
      assertFalse(left.anyMatch(file -> file.toString().endsWith(".weft-new")));
    }
  }

  @Test
  void anOutputThatCannotBeWrittenLeavesTheOldOneAndTheKeptResult() throws IOException {
    Path taken = Files.createDirectory(folder.resolve("taken"));
    Files.writeString(taken.resolve("file"), "in the way");
    Fault fault = results.deliver(JOB, keep("a"), Optional.of(taken)).orElseThrow();
    assertEquals("output.not-written", fault.code());
    assertTrue(fault.message().contains(taken.toString()), fault::message);
    assertTrue(fault.message().contains("weft job output 00000000"), fault::message);
    assertEquals("in the way", Files.readString(taken.resolve("file")));
    assertEquals("a", Files.readString(results.of(JOB)));
    Path nowhere = folder.resolve("no/such/folder/out");
    assertTrue(results.deliver(JOB, keep("a"), Optional.of(nowhere)).isPresent());
  }

  private void assertNotWritten(Path output) throws IOException {
    Fault fault = results.deliver(JOB, keep("a", "b"), Optional.of(output)).orElseThrow();
    assertEquals("output.not-written", fault.code());
    assertTrue(fault.message().contains(output.toString()), fault::message);
    assertEquals("ab", Files.readString(results.of(JOB)));
  }

  @Test
  void anOutputUnderAFileKeepsTheResult() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "old");
    assertNotWritten(file.resolve("out.txt"));
    assertEquals("old", Files.readString(file));
  }

  @Test
  void anOutputThatIsAnEmptyFolderIsNotReplaced() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertNotWritten(empty);
    assertTrue(Files.isDirectory(empty));
    try (Stream<Path> left = Files.list(folder)) {
      assertFalse(left.anyMatch(file -> file.toString().endsWith(".weft-new")));
    }
  }

  /** The root has no name, so a name made from it would be one in the working folder. */
  @Test
  void anOutputThatIsTheRootWritesNothingElsewhere() throws IOException {
    Path strayed = Path.of(".null.weft-new");
    Files.writeString(strayed, "of somebody else");
    try {
      assertNotWritten(folder.getRoot());
      assertEquals("of somebody else", Files.readString(strayed));
    } finally {
      Files.deleteIfExists(strayed);
    }
  }

  @Test
  void anOldOutputStaysWhenResultsCannotBeRead() throws IOException {
    Path output = Files.writeString(folder.resolve("out.txt"), "old");
    List<SchedulerEffect.Piece> pieces = keep("a", "b");
    Files.delete(folder.resolve("staging").resolve(JOB.hex() + "-1"));
    assertThrows(IOException.class, () -> results.deliver(JOB, pieces, Optional.of(output)));
    assertEquals("old", Files.readString(output));
  }

  @Test
  void aResultThatIsShorterThanItWasIsNotOffered() throws IOException {
    List<SchedulerEffect.Piece> pieces = keep("one\n", "two\n");
    Files.writeString(folder.resolve("staging").resolve(JOB.hex() + "-1"), "tw");
    assertThrows(IOException.class, () -> results.offer(JOB, pieces));
    assertTrue(staging.offers.isEmpty());
  }

  @Test
  void aLostResultIsAnError() throws IOException {
    List<SchedulerEffect.Piece> pieces = keep("a", "b");
    List<SchedulerEffect.Piece> lost =
        List.of(
            pieces.get(0), new SchedulerEffect.Piece(new TaskId(JOB, 9), pieces.get(1).content()));
    assertThrows(IOException.class, () -> results.deliver(JOB, lost, Optional.empty()));
    Files.writeString(folder.resolve("staging").resolve(JOB.hex() + "-1"), "");
    assertThrows(IOException.class, () -> results.deliver(JOB, pieces, Optional.empty()));
  }

  @Test
  void whatTheMergeCommandReadsIsNamedByItsContent() throws IOException {
    ContentId content = results.offer(JOB, keep("one\n", "two\n"));
    assertEquals(FolderStaging.contentOf("one\ntwo\n".getBytes(UTF_8)), content);
    long offered =
        staging.offers.get(content).segments().stream()
            .mapToLong(segment -> segment.length())
            .sum();
    assertEquals(content.length(), offered);
  }

  @Test
  void aResultIsReadInChunks() throws IOException {
    String text = "0123456789".repeat(2_000);
    SchedulerEffect.Piece piece = keep(text).get(0);
    StringBuilder all = new StringBuilder();
    int chunks = 0;
    while (all.length() < text.length()) {
      var bytes = results.read(piece.task(), piece.content(), all.length());
      assertTrue(bytes.length() > 0 && bytes.length() <= Message.LogChunk.MAXIMUM_BYTES);
      all.append(bytes.toText());
      chunks++;
    }
    assertEquals(text, all.toString());
    assertEquals(3, chunks);
    assertEquals(0, results.read(piece.task(), piece.content(), 1_000_000).length());
  }

  @Test
  void onlyTheNewestResultsOfAFormerLifeStay() throws IOException {
    results.trim(1); // there is no folder yet
    Files.createDirectory(folder.resolve("results"));
    for (int i = 1; i <= 4; i++) {
      Path file = Files.writeString(results.of(CoreDriver.jobId(i)), "x");
      Files.setLastModifiedTime(file, FileTime.fromMillis(i * 1_000L));
    }
    results.trim(2);
    assertFalse(Files.exists(results.of(CoreDriver.jobId(2))));
    assertTrue(Files.exists(results.of(CoreDriver.jobId(3))));
    assertTrue(Files.exists(results.of(CoreDriver.jobId(4))));
    results.trim(5);
    assertTrue(Files.exists(results.of(CoreDriver.jobId(3))));
  }
}
