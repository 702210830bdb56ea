package dev.weft.itests.launch;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bundles that do not work: those of the profile stop the start, those of others do not. */
class BrokenBundleTest {
  private static final String COMPONENT =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <scr:component xmlns:scr="http://www.osgi.org/xmlns/scr/v1.3.0" name="failing" immediate="true">
        <implementation class="dev.weft.itests.launch.FailingComponent"/>
      </scr:component>
      """;

  @TempDir Path folder;

  @Test
  void oneThatDoesNotResolveStopsTheStart() throws Exception {
    Path home = installation();
    bundle(home.resolve("system/example.broken.jar"), Map.of("Import-Package", "example.missing"));

    LaunchedProcess.Result result = launch(home);

    assertEquals(1, result.exitCode(), result.output());
    assertTrue(
        result
            .output()
            .contains("weft: bundles did not start:\n  example.broken: Unable to resolve"),
        result.output());
    assertTrue(result.output().contains("osgi.wiring.package=example.missing"), result.output());
  }

  @Test
  void aFailingComponentStopsTheStart() throws Exception {
    Path home = installation();
    bundle(
        home.resolve("system/example.broken.jar"),
        Map.of("Service-Component", "OSGI-INF/failing.xml"));

    LaunchedProcess.Result result = launch(home);

    assertEquals(1, result.exitCode(), result.output());
    assertTrue(
        result
            .output()
            .contains(
                "weft: could not start:\n  example.broken: java.lang.IllegalStateException:"
                    + " the device is missing; connect it\n"),
        result.output());
  }

  @Test
  void aMissingOneStopsTheStart() throws Exception {
    LaunchedProcess.Result result = launch(installation());

    assertEquals(1, result.exitCode(), result.output());
    assertTrue(result.output().contains("names example.broken, but there is no "), result.output());
  }

  @Test
  void onesThatSomebodyDroppedDoNotStopTheStart() throws Exception {
    Path deploy = Files.createDirectories(folder.resolve("data/deploy"));
    bundle(deploy.resolve("a.jar"), Map.of("Service-Component", "OSGI-INF/failing.xml"));
    bundle(
        deploy.resolve("b.jar"),
        Map.of("Import-Package", "example.missing", "Bundle-SymbolicName", "example.other"));
    Path output = folder.resolve("output.txt");
    Process agent =
        new ProcessBuilder(command(LaunchedProcess.HOME))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> !agent.isAlive() || Files.readString(output).contains("is up after"));
      assertTrue(agent.isAlive(), Files.readString(output));
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> Files.readString(output).contains("/deploy/b.jar"));
    } finally {
      agent.destroy();
      await().atMost(Duration.ofSeconds(15)).until(() -> !agent.isAlive());
    }
    assertEquals(143, agent.exitValue(), Files.readString(output));
  }

  private LaunchedProcess.Result launch(Path home) throws Exception {
    String[] command = command(home);
    return LaunchedProcess.runFrom(home, Arrays.copyOfRange(command, 1, command.length));
  }

  private String[] command(Path home) throws IOException {
    Path etc = Files.createDirectories(folder.resolve("etc"));
    Files.writeString(etc.resolve("weft.bus.cfg"), "port = 0\ndiscovery = false\n");
    return new String[] {
      home.resolve("bin/weft").toString(),
      "agent",
      "--data",
      folder.resolve("data").toString(),
      "--etc",
      etc.toString()
    };
  }

  /** An installation whose agent has one bundle more: {@code example.broken}. */
  private Path installation() throws IOException {
    Path home = Files.createDirectory(folder.resolve("home"));
    for (String copied : new String[] {"bin/weft", "features/base.list", "features/agent.list"}) {
      Files.createDirectories(home.resolve(copied).getParent());
      Files.copy(LaunchedProcess.HOME.resolve(copied), home.resolve(copied));
    }
    assertTrue(home.resolve("bin/weft").toFile().setExecutable(true));
    Files.writeString(
        home.resolve("features/agent.list"), "\n40 example.broken\n", StandardOpenOption.APPEND);
    Files.createSymbolicLink(home.resolve("lib"), LaunchedProcess.HOME.resolve("lib"));
    Files.createSymbolicLink(home.resolve("etc"), LaunchedProcess.HOME.resolve("etc"));
    Path system = Files.createDirectory(home.resolve("system"));
    try (DirectoryStream<Path> jars =
        Files.newDirectoryStream(LaunchedProcess.HOME.resolve("system"))) {
      for (Path jar : jars) {
        Files.createSymbolicLink(system.resolve(jar.getFileName()), jar);
      }
    }
    return home;
  }

  private static void bundle(Path jar, Map<String, String> headers) throws IOException {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.putValue("Bundle-ManifestVersion", "2");
    main.putValue("Bundle-SymbolicName", "example.broken");
    main.putValue("Bundle-Version", "1.0.0");
    headers.forEach(main::putValue);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      out.putNextEntry(new JarEntry("OSGI-INF/failing.xml"));
      out.write(COMPONENT.getBytes(StandardCharsets.UTF_8));
      String name = FailingComponent.class.getName().replace('.', '/') + ".class";
      out.putNextEntry(new JarEntry(name));
      try (InputStream in = FailingComponent.class.getClassLoader().getResourceAsStream(name)) {
        in.transferTo(out);
      }
    }
  }
}
