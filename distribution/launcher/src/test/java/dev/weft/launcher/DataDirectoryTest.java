package dev.weft.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The data directory and the folder for sockets. */
class DataDirectoryTest {
  @TempDir Path folder;

  @Test
  void theFolderForSocketsIsPrivate() throws Exception {
    Path run = DataDirectory.open(folder.resolve("data"), "agent").runFolder(Map.of());
    assertEquals(folder.resolve("data/run"), run);
    assertEquals("rwx------", mode(run));
  }

  @Test
  void aLongPathGetsAShortFolderThatStaysTheSame() throws Exception {
    Path runtime = Files.createDirectory(folder.resolve("runtime"));
    Map<String, String> environment = Map.of("XDG_RUNTIME_DIR", runtime.toString());
    DataDirectory first = DataDirectory.open(folder.resolve("a".repeat(100)), "agent");
    Path run = first.runFolder(environment);
    assertTrue(run.toString().matches(runtime + "/weft-[0-9a-f]{8}"), run.toString());
    assertEquals("rwx------", mode(run));
    assertEquals(run, first.runFolder(environment));
    Path other =
        DataDirectory.open(folder.resolve("b".repeat(100)), "agent").runFolder(environment);
    assertTrue(!run.equals(other), run.toString());
  }

  @Test
  void aFolderThatOthersCanEnterIsRefused() throws Exception {
    DataDirectory data = DataDirectory.open(folder.resolve("data"), "agent");
    Path run = Files.createDirectory(folder.resolve("data/run"));
    Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertRefused(data, run);
  }

  @Test
  void aLinkIsRefused() throws Exception {
    DataDirectory data = DataDirectory.open(folder.resolve("data"), "agent");
    Path target = Files.createDirectory(folder.resolve("target"));
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwx------"));
    Path run = Files.createSymbolicLink(folder.resolve("data/run"), target);
    assertRefused(data, run);
  }

  @Test
  void theFolderOfAnotherRoleIsRefused() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    Files.writeString(data.resolve("lock"), "manager\n");
    LaunchException problem =
        assertThrows(LaunchException.class, () -> DataDirectory.open(data, "agent"));
    assertEquals(
        "the data directory "
            + data
            + " is that of a node with the role manager; give this agent another one with --data",
        problem.getMessage());
    DataDirectory.open(data, "manager");
  }

  @Test
  void aFileInTheWayIsNamed() throws Exception {
    Path file = Files.createFile(folder.resolve("data"));
    LaunchException problem =
        assertThrows(LaunchException.class, () -> DataDirectory.open(file, "agent"));
    assertTrue(
        problem.getMessage().startsWith("cannot use the data directory " + file + ": "),
        problem.getMessage());
  }

  private static void assertRefused(DataDirectory data, Path run) {
    LaunchException problem = assertThrows(LaunchException.class, () -> data.runFolder(Map.of()));
    assertEquals(
        run + " must be a folder of mode 0700 that belongs to you; remove it and start again",
        problem.getMessage());
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(
        Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
  }
}
