package dev.weft.itests.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code bin/weft} makes of its environment, with a Java that only prints its arguments. */
class StartScriptTest {
  private static final Path HOME = Path.of("../../distribution/archive/target/weft");

  @TempDir Path folder;

  @Test
  void anOldJavaIsRefusedByItsReleaseFile() throws Exception {
    Path java = java("exit 9");
    Files.writeString(folder.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"11.0.2\"\n");
    assertRefused(java + " is Java 11.0.2", run(Map.of(), "agent"));
  }

  @Test
  void anOldJavaIsRefusedByWhatItPrints() throws Exception {
    Path java = java("echo 'Picked up JAVA_TOOL_OPTIONS' >&2; echo 'java version \"1.8.0_1\"' >&2");
    assertRefused(java + " is Java 1.8.0_1", run(Map.of(), "job", "list"));
  }

  @Test
  void aJavaThatDoesNotRunIsRefused() throws Exception {
    Path java = java("exit 1");
    assertRefused(java + " is Java of an unknown version", run(Map.of(), "agent"));
  }

  @Test
  void withoutJavaItSaysWhatToInstall() throws Exception {
    LaunchedProcess.Result result = run(Map.of("JAVA_HOME", "/nowhere"), "agent");
    assertEquals(1, result.exitCode());
    assertEquals(
        "weft: no Java found; install a JDK 17 or newer, or set JAVA_HOME\n", result.output());
  }

  @Test
  void optionsOfTheUserComeAfterTheShippedOnes() throws Exception {
    current();
    List<String> words =
        run(Map.of("WEFT_JAVA_OPTS", "-Xmx96m -Dx=y"), "agent", "--data", "a b")
            .output()
            .lines()
            .toList();
    assertTrue(words.indexOf("-Xmx96m") > words.indexOf("-XX:+UseSerialGC"), words.toString());
    assertTrue(words.contains("-Dx=y"), words.toString());
    assertEquals(
        List.of("dev.weft.launcher.Launcher", "agent", "--data", "a b"),
        words.subList(words.size() - 4, words.size()));
  }

  @Test
  void anythingElseGoesToTheClient() throws Exception {
    current();
    List<String> words = run(Map.of(), "job", "list").output().lines().toList();
    assertEquals(
        List.of("dev.weft.shell.client.Client", "job", "list"),
        words.subList(words.size() - 3, words.size()));
    String path = words.get(words.indexOf("-cp") + 1);
    for (String jar : path.split(":", -1)) {
      assertTrue(Files.isRegularFile(Path.of(jar)), jar);
    }
  }

  @Test
  void servicesStartWhatTheArchiveHas() throws Exception {
    try (Stream<Path> units = Files.list(HOME.resolve("systemd"))) {
      List<Path> found = units.sorted().toList();
      assertEquals(
          List.of("weft-agent.service", "weft-manager.service"),
          found.stream().map(unit -> unit.getFileName().toString()).toList());
      for (Path unit : found) {
        List<String> lines = Files.readAllLines(unit);
        String profile = unit.getFileName().toString().replaceAll("weft-|\\.service", "");
        String start = "ExecStart=/opt/weft/bin/weft " + profile + " --data /var/lib/weft/";
        assertTrue(lines.contains(start + profile), unit + " has no " + start + profile);
        for (String line : List.of("User=weft", "Delegate=yes", "SuccessExitStatus=143")) {
          assertTrue(lines.contains(line), unit + " has no " + line);
        }
      }
    }
  }

  private static void assertRefused(String start, LaunchedProcess.Result result) {
    assertEquals(
        "weft: " + start + "; install a JDK 17 or newer, or set JAVA_HOME\n", result.output());
    assertEquals(1, result.exitCode());
  }

  private void current() throws IOException {
    java("printf '%s\\n' \"$@\"");
    Files.writeString(folder.resolve("release"), "JAVA_VERSION=\"17\"\n");
  }

  /** Makes a Java of our own. */
  private Path java(String script) throws IOException {
    Path java = Files.createDirectories(folder.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\n" + script + "\n");
    return Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private LaunchedProcess.Result run(Map<String, String> environment, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(List.of(HOME.resolve("bin/weft").toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("WEFT_JAVA_OPTS");
    builder.environment().put("JAVA_HOME", folder.toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new LaunchedProcess.Result(process.waitFor(), output);
  }
}
