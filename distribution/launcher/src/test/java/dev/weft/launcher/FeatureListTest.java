package dev.weft.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lists in {@code features/}. */
class FeatureListTest {
  @TempDir Path home;

  @BeforeEach
  void makeInstallation() throws IOException {
    Files.createDirectory(home.resolve("features"));
    Path system = Files.createDirectory(home.resolve("system"));
    for (String bundle : List.of("a", "b", "c")) {
      Files.createFile(system.resolve(bundle + ".jar"));
    }
  }

  @Test
  void bundlesAreSortedByLevelAndName() throws Exception {
    write("base", "# all\n\n5 c\n5 b # the second\n");
    write("agent", "include base\n1 a\nready (weft.component=agent)\n");
    FeatureList list = FeatureList.read(home, "agent");
    assertEquals(List.of(entry(1, "a"), entry(5, "b"), entry(5, "c")), list.bundles());
    assertEquals(List.of("(weft.component=agent)"), list.ready());
  }

  @Test
  void whatIsWrongIsNamed() throws Exception {
    Path list = write("agent", "1 d\n");
    assertEquals(
        list + " names d, but there is no " + home.resolve("system/d.jar"), problem("agent"));
    write("agent", "first a\n");
    assertEquals(
        list + ": 'first a': expected LEVEL BUNDLE, include LIST or ready FILTER",
        problem("agent"));
    write("agent", "include other\n");
    Path other = home.resolve("features/other.list");
    assertEquals(
        "cannot read " + other + ": java.nio.file.NoSuchFileException: " + other, problem("agent"));
  }

  @Test
  void listsThatIncludeEachOtherAreAnError() throws Exception {
    write("agent", "include base\n");
    Path list = write("base", "include agent\n");
    assertEquals(list + " includes agent, which includes it", problem("agent"));
  }

  private FeatureList.Entry entry(int level, String bundle) {
    return new FeatureList.Entry(level, home.resolve("system").resolve(bundle + ".jar"));
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(home.resolve("features").resolve(name + ".list"), text);
  }

  private String problem(String name) {
    return assertThrows(LaunchException.class, () -> FeatureList.read(home, name)).getMessage();
  }
}
