package dev.weft.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.osgi.framework.FrameworkUtil;

/** Bad changes are refused, the last good values stay. */
class ConfigurationGuardTest {
  private static final String PID = "weft.example";

  private final ConfigurationGuard guard =
      new ConfigurationGuard(() -> Map.of(PID, schema(), "own.policy", schema()));

  @Test
  void goodValuesPass() {
    assertEquals(Map.of("port", "1"), seen(PID, Map.of("port", "1")));
    assertEquals(Map.of("port", "2"), seen(PID, Map.of("port", "2")));
  }

  @Test
  void theLastGoodValuesStay() {
    seen(PID, Map.of("port", "1", "name", "a"));
    Map<String, Object> good = Map.of("port", "1", "name", "a");
    assertEquals(good, seen(PID, Map.of("port", "70000", "name", "b")));
    assertEquals(good, seen(PID, Map.of("prot", "2")));
    assertEquals(Map.of("port", "3"), seen(PID, Map.of("port", "3")));
    assertEquals(Map.of("port", "3"), seen(PID, Map.of("port", "x")));
  }

  @Test
  void withoutGoodValuesTheDefaultsStay() {
    assertEquals(Map.of(), seen(PID, Map.of("port", "x")));
  }

  @Test
  void onePidDoesNotGetTheValuesOfAnother() {
    seen(PID, Map.of("port", "1"));
    assertEquals(Map.of(), seen("own.policy", Map.of("port", "x")));
  }

  @Test
  void bundlesOfOthersAreGuardedWhenTheyDeclareTheirSettings() {
    seen("own.policy", Map.of("port", "1"));
    assertEquals(Map.of("port", "1"), seen("own.policy", Map.of("port", "x")));
  }

  @Test
  void whatNoBundleDeclaresPasses() {
    assertEquals(Map.of("any", "thing"), seen("weft.unknown", Map.of("any", "thing")));
  }

  /** What a component gets, without what the framework adds. */
  private Map<String, Object> seen(String pid, Map<String, Object> properties) {
    Map<String, Object> seen = new HashMap<>(properties);
    seen.put("service.pid", pid);
    seen.put("felix.fileinstall.filename", "file:/etc/" + pid + ".cfg");
    guard.modifyConfiguration(null, FrameworkUtil.asDictionary(seen));
    assertEquals(pid, seen.remove("service.pid"));
    assertEquals("file:/etc/" + pid + ".cfg", seen.remove("felix.fileinstall.filename"));
    return seen;
  }

  private static Schema schema() {
    return new Schema(
        PID,
        new TreeMap<>(
            Map.of(
                "port",
                new Schema.Key("Integer", Optional.of("0"), Optional.of("65535"), List.of()),
                "name",
                new Schema.Key("String", Optional.empty(), Optional.empty(), List.of()))));
  }

  @Test
  void aFileThatIsNotXmlIsAnErrorOfItsReader() {
    String message = "";
    try {
      MetatypeReader.read(new ByteArrayInputStream("no".getBytes(StandardCharsets.UTF_8)));
    } catch (IOException e) {
      message = e.getMessage();
    }
    assertEquals("not a metatype file", message.replaceFirst(":(?s:.*)", ""));
  }
}
