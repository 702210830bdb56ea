package dev.weft.itests.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Each setting that a bundle takes stands in its file in etc, commented out, with its default. */
class SettingsAreListedTest {
  private static final Path HOME = Path.of("../../distribution/archive/target/weft");
  private static final Pattern SETTING = Pattern.compile("#([a-z][a-z.]*) =(.*)");

  @TestFactory
  Iterable<DynamicTest> everySettingIsListedWithItsDefault() throws Exception {
    return settingsByBundle().entrySet().stream()
        .map(
            bundle ->
                DynamicTest.dynamicTest(
                    bundle.getKey(),
                    () ->
                        assertEquals(
                            comparable(bundle.getValue()), comparable(listed(bundle.getKey())))))
        .toList();
  }

  @Test
  void everyFileBelongsToABundle() throws Exception {
    Map<String, Map<String, String>> bundles = settingsByBundle();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(HOME.resolve("etc"), "*.cfg")) {
      for (Path file : files) {
        String name = file.getFileName().toString().replaceFirst("\\.cfg$", "");
        assertFalse(bundles.getOrDefault(name, Map.of()).isEmpty(), file + " is of no use");
      }
    }
  }

  private static Map<String, String> listed(String bundle) throws IOException {
    Map<String, String> listed = new TreeMap<>();
    for (String line : Files.readAllLines(HOME.resolve("etc").resolve(bundle + ".cfg"))) {
      Matcher setting = SETTING.matcher(line);
      if (setting.matches()) {
        listed.put(setting.group(1), setting.group(2).strip());
      }
    }
    return listed;
  }

  private static Map<String, Map<String, String>> settingsByBundle()
      throws IOException, ParserConfigurationException, SAXException {
    Map<String, Map<String, String>> byBundle = new TreeMap<>();
    try (DirectoryStream<Path> jars =
        Files.newDirectoryStream(HOME.resolve("system"), "weft.*.jar")) {
      for (Path jar : jars) {
        String bundle = jar.getFileName().toString().replaceFirst("\\.jar$", "");
        try (JarFile file = new JarFile(jar.toFile())) {
          for (JarEntry entry : file.stream().toList()) {
            if (entry.getName().matches("OSGI-INF/metatype/.+\\.xml")) {
              try (InputStream in = file.getInputStream(entry)) {
                byBundle.put(bundle, settings(in));
              }
            }
          }
        }
      }
    }
    assertFalse(byBundle.isEmpty(), "no bundles in " + HOME);
    return byBundle;
  }

  private static Map<String, String> settings(InputStream metatype)
      throws IOException, ParserConfigurationException, SAXException {
    Map<String, String> settings = new TreeMap<>();
    NodeList definitions =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(metatype)
            .getElementsByTagName("AD");
    for (int i = 0; i < definitions.getLength(); i++) {
      Element definition = (Element) definitions.item(i);
      settings.put(definition.getAttribute("id"), definition.getAttribute("default"));
    }
    return settings;
  }

  /** One line per setting; a number is the same with and without its decimals. */
  private static String comparable(Map<String, String> settings) {
    return settings.entrySet().stream()
        .map(setting -> setting.getKey() + " = " + setting.getValue().replaceFirst("\\.0$", ""))
        .collect(Collectors.joining("\n"));
  }
}
