package dev.weft.itests.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The bundles form a star: only the two APIs export, and nobody imports anything else of ours. */
class ManifestStarTest {
  private static final Path SYSTEM = Path.of("../../distribution/archive/target/weft/system");
  private static final Pattern OUR_PACKAGE = Pattern.compile("(?<![\\w.=\"])dev\\.weft[\\w.]*");

  @Test
  void onlyTheApisExport() throws IOException {
    Map<String, List<String>> exports = packages("Export-Package");
    assertFalse(exports.remove("weft.api.jar").isEmpty());
    assertFalse(exports.remove("weft.core-api.jar").isEmpty());
    exports.forEach((bundle, packages) -> assertEquals(List.of(), packages, bundle + " exports"));
  }

  @Test
  void nobodyImportsAnImplementation() throws IOException {
    packages("Import-Package")
        .forEach(
            (bundle, packages) ->
                assertEquals(
                    List.of(),
                    packages.stream()
                        .filter(name -> !name.matches("dev\\.weft\\.(api|core)(\\..+)?"))
                        .toList(),
                    bundle + " imports"));
  }

  @Test
  void theApiNeedsNothing() throws IOException {
    assertEquals(
        List.of(),
        packages("Import-Package").get("weft.api.jar").stream()
            .filter(name -> !name.startsWith("dev.weft.api"))
            .toList());
  }

  private static Map<String, List<String>> packages(String header) throws IOException {
    Map<String, List<String>> byBundle = new TreeMap<>();
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(SYSTEM, "weft.*.jar")) {
      for (Path jar : jars) {
        try (JarFile file = new JarFile(jar.toFile())) {
          Attributes main = file.getManifest().getMainAttributes();
          String value = main.getValue(header);
          byBundle.put(jar.getFileName().toString(), ours(value == null ? "" : value));
        }
      }
    }
    assertFalse(byBundle.isEmpty(), "no bundles in " + SYSTEM);
    return byBundle;
  }

  /** Our packages in a header, without those named by directives such as {@code uses}. */
  private static List<String> ours(String header) {
    List<String> names = new ArrayList<>();
    String plain = header.replaceAll("\"[^\"]*\"", "");
    OUR_PACKAGE.matcher(plain).results().forEach(found -> names.add(found.group()));
    return names;
  }
}
