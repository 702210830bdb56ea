package dev.weft.process;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a tree that is made like {@code /proc}. */
class RecentProcessesTest {
  private static final String MARK = "ab/0#1";
  private static final long LEADER = 1000;
  private static final long SOON = Duration.ofMillis(20).toNanos();

  @TempDir private Path root;

  @BeforeEach
  void ids() throws IOException {
    put("sys/kernel/pid_max", "32768\n");
    last(1010);
  }

  @Test
  void nothingIsLeftWhereNobodyIs() {
    assertTrue(isNothingLeft());
  }

  @Test
  void othersDoNotCount() throws IOException {
    process(1003, 77, "HOME=/\0");
    process(1004, 1004, "WEFT_ATTEMPT_ID=ab/1#1\0");
    // Older ones are not looked at.
    process(999, 1000, "WEFT_ATTEMPT_ID=" + MARK + "\0");
    assertTrue(isNothingLeft());
  }

  @Test
  void findsTheMarkInAnotherSession() throws IOException {
    process(1010, 1010, "HOME=/\0WEFT_ATTEMPT_ID=" + MARK + "\0");
    assertFalse(isNothingLeft());
  }

  @Test
  void findsAMemberOfTheSession() throws IOException {
    process(1001, LEADER, "HOME=/\0");
    assertFalse(isNothingLeft());
  }

  @Test
  void isNotSureAboutAProcessInTheMiddleOfAnExec() throws IOException {
    process(1002, 1002, "");
    assertFalse(isNothingLeft());
  }

  @Test
  void isSureAboutThreadsOfTheKernel() throws IOException {
    process(1002, 0, "", 0x0020_8040);
    assertTrue(isNothingLeft());
  }

  @Test
  void isNotSureWhenTheIdsBeganAgain() throws IOException {
    last(200);
    assertFalse(isNothingLeft());
  }

  @Test
  void isNotSureAboutTooMany() throws IOException {
    last(LEADER + 128);
    assertTrue(isNothingLeft());
    last(LEADER + 129);
    assertFalse(isNothingLeft());
  }

  @Test
  void isNotSureAboutARunInWhichTheIdsMayHaveBegunAgain() throws IOException {
    long safe = Duration.ofMillis(490).toNanos();
    assertTrue(new RecentProcesses(root).isNothingLeft(MARK, LEADER, safe));
    long unsafe = Duration.ofMillis(510).toNanos();
    assertFalse(new RecentProcesses(root).isNothingLeft(MARK, LEADER, unsafe));
    put("sys/kernel/pid_max", "4194304\n");
    assertTrue(new RecentProcesses(root).isNothingLeft(MARK, LEADER, unsafe));
  }

  @Test
  void isNotSureWithoutTheKernelsWord() throws IOException {
    Files.delete(root.resolve("loadavg"));
    assertFalse(isNothingLeft());
    put("loadavg", "rubbish\n");
    assertFalse(isNothingLeft());
  }

  private boolean isNothingLeft() {
    return new RecentProcesses(root).isNothingLeft(MARK, LEADER, SOON);
  }

  private void last(long id) throws IOException {
    put("loadavg", "10.31 11.48 11.08 10/205 " + id + "\n");
  }

  private void process(long id, long session, String environment) throws IOException {
    process(id, session, environment, 0x0040_0000);
  }

  /** The fields of stat up to the 22nd, as proc(5) lists them. */
  private void process(long id, long session, String environment, long flags) throws IOException {
    String name = "(a name) S 1";
    String rest = " 0 -1 " + flags + " 0 0 0 0 0 0 0 0 20 0 1 0 5000\n";
    put(id + "/stat", id + " " + name + " " + id + " " + session + rest);
    put(id + "/environ", environment);
  }

  private void put(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
