package dev.weft.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The command line and what it stands for. */
class ArgumentsTest {
  private static final Path HOME = Path.of("/opt/weft");
  private static final Map<String, String> USER = Map.of("HOME", "/home/someone");

  @Test
  void everyProfileHasItsData() throws LaunchException {
    assertEquals(Path.of("/home/someone/.local/share/weft/manager"), parse(USER, "manager").data());
    assertEquals(Path.of("/home/someone/.local/share/weft/agent"), parse(USER, "agent").data());
    assertEquals(
        Path.of("/home/someone/.local/share/weft/manager"), parse(USER, "all-in-one").data());
    assertEquals("manager,agent", parse(USER, "all-in-one").profile().roles());
  }

  @Test
  void theNearerSettingOfTheDataDirectoryWins() throws LaunchException {
    Map<String, String> share = Map.of("HOME", "/home/someone", "XDG_DATA_HOME", "/share");
    assertEquals(Path.of("/share/weft/agent"), parse(share, "agent").data());
    Map<String, String> own =
        Map.of("HOME", "/home/someone", "XDG_DATA_HOME", "/share", "WEFT_DATA", "/own");
    assertEquals(Path.of("/own"), parse(own, "agent").data());
    assertEquals(Path.of("/given"), parse(own, "agent", "--data", "/given").data());
  }

  @Test
  void theConfigurationIsThatOfTheInstallationUnlessGiven() throws LaunchException {
    assertEquals(Path.of("/opt/weft/etc"), parse(USER, "agent").etc());
    assertEquals(Path.of("/other"), parse(USER, "agent", "--etc", "/a/../other").etc());
  }

  @Test
  void helpIsNotAnError() throws LaunchException {
    assertEquals(Optional.empty(), Arguments.parse(new String[] {"--help"}, HOME, USER));
    assertEquals(Optional.empty(), Arguments.parse(new String[] {"agent", "-h"}, HOME, USER));
  }

  @Test
  void whatIsWrongIsSaid() {
    assertTrue(problem().startsWith("usage: "));
    assertTrue(problem("agnet").startsWith("'agnet' is not a profile\nusage: "));
    assertTrue(problem("agent", "--dta", "x").startsWith("unknown option '--dta'\n"));
    assertTrue(problem("agent", "--data").startsWith("--data needs a folder\n"));
  }

  private static Arguments parse(Map<String, String> environment, String... arguments)
      throws LaunchException {
    return Arguments.parse(arguments, HOME, environment).orElseThrow();
  }

  private static String problem(String... arguments) {
    LaunchException problem =
        assertThrows(LaunchException.class, () -> Arguments.parse(arguments, HOME, USER));
    assertEquals(LaunchException.ERROR, problem.exitCode());
    return problem.getMessage();
  }
}
