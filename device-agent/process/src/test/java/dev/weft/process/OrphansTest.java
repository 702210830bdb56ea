package dev.weft.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.process.ProcessTable.Entry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a folder that looks like {@code /proc}, in which 100 is this process. */
class OrphansTest {
  private static final long OWN = 100;
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  @TempDir private Path root;
  private final List<Long> reaped = new ArrayList<>();
  private Orphans orphans;

  @BeforeEach
  void makeOwn() throws IOException {
    process(OWN, "S", 1, 90, 4096, "HOME=/");
    children("");
    orphans = new Orphans(root, OWN, Optional.of(new Reaper()));
  }

  private final class Reaper implements Adoption {
    @Override
    public boolean adopt() {
      return true;
    }

    @Override
    public void reap(long pid) {
      reaped.add(pid);
    }
  }

  private void children(String ids) throws IOException {
    Path folder = Files.createDirectories(root.resolve("100/task/100"));
    Files.writeString(folder.resolve("children"), ids);
  }

  private void process(
      long pid, String state, long parent, long session, long codeStart, String environment)
      throws IOException {
    Path folder = Files.createDirectories(root.resolve(Long.toString(pid)));
    // State, parent, session, start and the first address of the code count.
    String stat = "%d (a ) b) %s %d 5 %d%s 77 1 1 1 %d%s%n";
    Files.writeString(
        folder.resolve("stat"),
        stat.formatted(pid, state, parent, session, " 0".repeat(15), codeStart, " 0".repeat(26)));
    Files.write(folder.resolve("environ"), environment.getBytes(StandardCharsets.UTF_8));
  }

  private List<Long> living(long now) throws IOException {
    return orphans.living(now).orElseThrow().stream().map(Entry::pid).toList();
  }

  @Test
  void tellsTheMarkOfWhatLives() throws IOException {
    process(200, "S", OWN, 199, 4096, "A=b\0WEFT_ATTEMPT_ID=cd/1#1\0");
    children("200 ");
    Entry entry = orphans.living(0).orElseThrow().get(0);
    assertEquals(Optional.of("cd/1#1"), entry.attempt());
    assertEquals(199, entry.session());
    assertFalse(entry.isUnclear());
  }

  @Test
  void leavesOutWhatThisProcessStarted() throws IOException {
    process(200, "S", OWN, 200, 4096, "");
    process(201, "S", OWN, 90, 4096, "");
    children("200 201 202 ");
    orphans.started(200);
    assertEquals(List.of(), living(0));
    orphans.ended(200);
    assertEquals(List.of(200L), living(0));
  }

  @Test
  void isUnclearAboutAProgramThatJustReplacesAnother() throws IOException {
    process(200, "R", OWN, 200, 0, "");
    process(201, "R", OWN, 201, 4096, "");
    children("200 201 ");
    List<Entry> living = orphans.living(0).orElseThrow();
    assertTrue(living.get(0).isUnclear());
    assertFalse(living.get(1).isUnclear(), "its environment is empty");
  }

  @Test
  void reapsOnlyWhatNobodyElseWaitsFor() throws IOException {
    process(200, "Z", OWN, 200, 0, "");
    process(201, "Z", OWN, 90, 0, "");
    process(202, "Z", OWN, 202, 0, "");
    orphans.started(202);
    children("200 201 202 ");
    assertEquals(List.of(), living(0));
    assertEquals(List.of(), living(SECOND - 1));
    assertEquals(List.of(), reaped);
    assertEquals(List.of(), living(SECOND));
    assertEquals(List.of(200L), reaped);
  }

  @Test
  void searchesWhereTheKernelDoesNotListChildren() throws IOException {
    Files.delete(root.resolve("100/task/100/children"));
    process(200, "S", OWN, 200, 4096, "A=b");
    process(201, "S", 200, 200, 4096, "A=b");
    assertEquals(List.of(200L), living(0));
  }
}
