package dev.weft.itests.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A wrong configuration stops the start, and the message says what to change. */
class BadConfigurationTest {
  private static final int CONFIGURATION = 78;

  @TempDir Path folder;

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          weft.bus.cfg | adresses = 127.0.0.1 | weft.bus.cfg:1: adresses = 127.0.0.1: expected a known key, perhaps addresses
          weft.bus.cfg | lease.ms = soon | weft.bus.cfg:1: lease.ms = soon: expected a whole number from 500 to 600000
          weft.bus.cfg | port = 70000 | weft.bus.cfg:1: port = 70000: expected a whole number from 0 to 65435
          weft.bus.cfg | insecure = yes | weft.bus.cfg:1: insecure = yes: expected true or false
          weft.bus.cfg | addresses = 192.0.2.1 | weft.bus.cfg: addresses = 192.0.2.1: 192.0.2.1 is not on the loopback interface, and links are not authenticated yet; use 127.0.0.1, or set insecure = true on a network that you trust
          weft.bus.cfg | manager = nowhere | weft.bus.cfg: manager = nowhere: expected host:port, such as 192.0.2.7:7250
          weft.coap.cfg | discovery.port = 0 | weft.coap.cfg:1: discovery.port = 0: expected a whole number from 1 to 65535
          weft.policy.rank.cfg | weight.cpu = -1 | weft.policy.rank.cfg:1: weight.cpu = -1: expected a decimal number from 0 to 1000000
          weft.scheduler.cfg | status.timeout.ms = 9000 | weft.scheduler.cfg: status.timeout.ms = 9000: must be more than status.period.ms × status.periods + stop.grace.ms = 2000 × 4 + 3000 = 11000
          weft.shedule.cfg | x = 1 | weft.shedule.cfg: no bundle has such a configuration; known are weft.agent.cfg, weft.bus.cfg,
          weft.staging.cfg | port = 1\\nport = 2 | weft.staging.cfg:2: port = 2: expected once, but it is in line 1 too
          weft.agent.cfg | offer.memory = much | weft.agent.cfg: offer.memory = much
          """)
  void stopsTheStart(String file, String text, String message) throws Exception {
    Path etc = Files.createDirectory(folder.resolve("etc"));
    Files.writeString(etc.resolve(file), text.replace("\\n", "\n") + "\n");
    Path data = folder.resolve("data");
    String profile = file.equals("weft.agent.cfg") ? "agent" : "manager";

    LaunchedProcess.Result result =
        LaunchedProcess.run(profile, "--data", data.toString(), "--etc", etc.toString());

    assertEquals(CONFIGURATION, result.exitCode(), result.output());
    assertTrue(result.output().contains(message), result.output());
    assertFalse(result.output().contains("is up"), result.output());
  }
}
