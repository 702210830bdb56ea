package dev.weft.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said about the files of a configuration folder. */
class ConfigurationFilesTest {
  private static final String METATYPE =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <metatype:MetaData xmlns:metatype="http://www.osgi.org/xmlns/metatype/v1.4.0">
        <OCD id="example.Settings" name="Example">
          <AD id="port" type="Integer" required="true" default="0" min="0" max="65535"/>
          <AD id="retries" type="Integer" required="true" default="3"/>
          <AD id="limit.bytes" type="Long" required="true" default="1" min="1"/>
          <AD id="weight" type="Double" required="true" default="1" max="10"/>
          <AD id="insecure" type="Boolean" required="true" default="false"/>
          <AD id="mode" type="String" required="true" default="fast">
            <Option label="fast" value="fast"/><Option label="safe" value="safe"/>
          </AD>
          <AD id="name" type="String" required="false" default=""/>
        </OCD>
        <Designate pid="weft.example"><Object ocdref="example.Settings"/></Designate>
      </metatype:MetaData>
      """;

  @TempDir Path folder;
  private Path etc;
  private Path bundles;

  @BeforeEach
  void makeFolders() throws IOException {
    etc = Files.createDirectory(folder.resolve("etc"));
    bundles = Files.createDirectory(folder.resolve("system"));
    bundle(bundles.resolve("weft.example.jar"), METATYPE);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          prot = 1 | :1: prot = 1: expected a known key, perhaps port
          port = many | :1: port = many: expected a whole number from 0 to 65535
          port = | :1: port = : expected a whole number from 0 to 65535
          port = 65536 | :1: port = 65536: expected a whole number from 0 to 65535
          port = -1 | :1: port = -1: expected a whole number from 0 to 65535
          retries = 3000000000 | :1: retries = 3000000000: expected a whole number from -2147483648 to 2147483647
          limit.bytes = 0 | :1: limit.bytes = 0: expected a whole number from 1 to 9223372036854775807
          limit.bytes = 9223372036854775808 | :1: limit.bytes = 9223372036854775808: expected a whole number from 1 to 9223372036854775807
          weight = 10.5 | :1: weight = 10.5: expected a decimal number of at most 10
          weight = NaN | :1: weight = NaN: expected a decimal number of at most 10
          insecure = yes | :1: insecure = yes: expected true or false
          mode = slow | :1: mode = slow: expected one of fast, safe
          port = 1\\nport = 2 | :2: port = 2: expected once, but it is in line 1 too
          ! C:\\\\\\nport = x | :2: port = x: expected a whole number from 0 to 65535
          name = a\\\\\\n  b\\nport = x | :3: port = x: expected a whole number from 0 to 65535
          name = a\\\\\\\\\\nport = x | :2: port = x: expected a whole number from 0 to 65535
          """)
  void namesFileLineKeyValueAndWhatWasExpected(String text, String problem) throws IOException {
    Path file = write("weft.example.cfg", text.replace("\\n", "\n").replace("\\\\", "\\"));
    assertEquals(List.of(file + problem), problems());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "port = 65535",
        "limit.bytes = 9223372036854775807",
        "retries = -2147483648",
        "weight: 0.5",
        "insecure true",
        "mode=safe",
        "# only a comment",
        "name = anything = at: all"
      })
  void acceptsWhatIsDeclared(String text) throws IOException {
    write("weft.example.cfg", text);
    assertEquals(List.of(), problems());
  }

  @Test
  void reportsEveryProblemOfEveryFile() throws IOException {
    write("weft.example.cfg", "port = x\nmode = y");
    write("weft.exmaple.cfg", "port = 1");
    List<String> problems = problems();
    assertEquals(3, problems.size(), problems.toString());
    assertTrue(
        problems
            .get(2)
            .endsWith(
                "weft.exmaple.cfg: no bundle has such a configuration;"
                    + " known are weft.example.cfg"),
        problems.get(2));
  }

  @Test
  void aFileOfTheOtherEndingIsNotOverlooked() throws IOException {
    Path file = write("weft.example.config", "port=I\"70000\"");
    assertEquals(
        List.of(file + ": expected the ending .cfg; files that end with .config are not checked"),
        problems());
  }

  @Test
  void aFileOfAnotherEncodingIsNamed() throws IOException {
    Path file = etc.resolve("weft.example.cfg");
    Files.write(file, "name = caf\u00e9".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(List.of(file + ": expected text in UTF-8"), problems());
  }

  @Test
  void aHugeFileIsNotRead() throws IOException {
    Path file = write("weft.example.cfg", "#".repeat((1 << 18) + 1));
    assertEquals(List.of(file + ": expected at most 262144 bytes"), problems());
  }

  @Test
  void droppedBundlesDeclareSettingsToo() throws IOException {
    Path deploy = Files.createDirectory(folder.resolve("deploy"));
    bundle(deploy.resolve("own.policy.jar"), METATYPE.replace("weft.example", "own.policy"));
    Path file = write("own.policy.cfg", "port = x");
    assertEquals(
        List.of(file + ":1: port = x: expected a whole number from 0 to 65535"),
        ConfigurationFiles.of(bundles, deploy).problems(etc));
  }

  @Test
  void aBrokenDroppedBundleIsPassedOver() throws IOException {
    Path deploy = Files.createDirectory(folder.resolve("deploy"));
    Files.writeString(deploy.resolve("half.jar"), "not a jar");
    write("weft.example.cfg", "port = 1");
    assertEquals(List.of(), ConfigurationFiles.of(bundles, deploy).problems(etc));
  }

  @Test
  void aBrokenBundleOfTheDistributionIsNamed() throws IOException {
    Path jar = Files.writeString(bundles.resolve("half.jar"), "not a jar");
    IOException problem = assertThrows(IOException.class, this::problems);
    assertTrue(problem.getMessage().startsWith(jar + ": "), problem.getMessage());
  }

  private List<String> problems() throws IOException {
    return ConfigurationFiles.of(bundles, folder.resolve("none")).problems(etc);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(etc.resolve(name), text + "\n");
  }

  private static void bundle(Path jar, String metatype) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(file)) {
      zip.putNextEntry(new ZipEntry("OSGI-INF/metatype/settings.xml"));
      zip.write(metatype.getBytes(StandardCharsets.UTF_8));
      zip.closeEntry();
    }
  }
}
