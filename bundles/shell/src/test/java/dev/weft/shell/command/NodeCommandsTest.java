package dev.weft.shell.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weft.core.resources.NodeStatus;
import dev.weft.shell.fake.Samples;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Each command that does something with a node, with exactly what it prints. */
class NodeCommandsTest extends CommandTester {
  private NodeStatus.State alpha() {
    return services.resources().nodes().get(0).state();
  }

  @Test
  void takesANodeOutOfUseAndBack() throws IOException {
    assertEquals(0, run("node", "eligibility", "alpha", "--disable"));
    assertEquals(NodeStatus.State.INELIGIBLE, alpha());
    assertEquals(0, run("node", "eligibility", "a1", "--enable"));
    assertEquals(NodeStatus.State.READY, alpha());
    assertEquals(
        """
        node alpha (a1a1a1a1) gets no more tasks; what it runs goes on
        node alpha (a1a1a1a1) may get tasks
        """,
        output());
    assertFalse(
        json("node", "eligibility", "a1", "--disable", "--json").path("eligible").asBoolean());
  }

  @Test
  void refusesWhatIsNoEligibility() throws IOException {
    assertEquals(1, run("node", "eligibility", "alpha"));
    assertEquals(1, run("node", "eligibility", "alpha", "--enable", "--disable"));
    assertTrue(errors().startsWith("weft: give --enable or --disable\n"), errors());
    errors.reset();
    assertEquals(1, run("node", "eligibility", "beta", "--disable"));
    assertEquals(
        "weft: node beta (b2b2b2b2) is not known any more: 'weft node list' shows all\n", errors());
  }

  @Test
  void enablingEndsADrain() throws IOException {
    assertEquals(0, run("node", "drain", "alpha", "--detach"));
    assertEquals(0, run("node", "eligibility", "alpha", "--disable"));
    assertEquals(0, run("node", "eligibility", "alpha", "--enable"));
    assertTrue(services.jobs().drain(Samples.ALPHA).isEmpty());
  }

  @Test
  void followsADrainTryByTry() throws IOException {
    assertEquals(0, run("node", "drain", "alpha"));
    assertEquals(
        """
        node alpha (a1a1a1a1): 2 tries left, 0 tries over, 0 of them withdrawn; what is left at 2026-03-01 13:00:00 (in 1 h) is withdrawn
          1a2b0000/0#1 (count words): running
          1a2b0000/3#1 (count words): running
          1a2b0000/0#1: over
          1a2b0000/3#1: over
        """,
        errors());
    assertEquals("node alpha (a1a1a1a1): empty; 2 tries over, 0 of them withdrawn\n", output());
  }

  @Test
  void startsADrainAndLeaves() throws IOException {
    assertEquals(0, run("node", "drain", "alpha", "--now", "--detach"));
    assertEquals(
        "node alpha (a1a1a1a1): 2 tries left, 0 tries over, 0 of them withdrawn; what is left is"
            + " being withdrawn\n",
        output());
    assertEquals("", errors());
    JsonNode drain = json("node", "drain", "alpha", "--deadline", "1h30m", "--detach", "--json");
    assertEquals("2026-03-01T13:30:00Z", drain.at("/drain/deadline").asText());
    assertEquals("RUNNING", drain.at("/drain/left/1/state").asText());
    assertEquals(3, drain.at("/drain/left/1/task").asInt());
  }

  @Test
  void endsADrain() throws IOException {
    services.jobs().drain(Samples.ALPHA, Duration.ofHours(1));
    assertEquals(0, run("node", "drain", "alpha", "--stop"));
    assertEquals("node alpha (a1a1a1a1) may get tasks again\n", output());
    assertEquals(1, run("node", "drain", "alpha", "--stop"));
    assertEquals(
        "weft: node alpha (a1a1a1a1) is not drained; if it gets no tasks: weft node eligibility"
            + " a1a1a1a1 --enable\n",
        errors());
  }

  @Test
  void refusesWhatIsNoDrain() throws IOException {
    assertEquals(1, run("node", "drain", "alpha", "--stop", "--now"));
    assertEquals(1, run("node", "drain", "alpha", "--now", "--deadline", "1h"));
    assertEquals(1, run("node", "drain", "alpha", "--deadline", "31d"));
    assertEquals(1, run("node", "drain", "alpha", "--deadline", "soon"));
    assertEquals(
        """
        weft: --stop stands alone
        weft: give --now or --deadline, not both
        weft: Invalid value for option '--deadline': must be 0s to 30d
        weft: Invalid value for option '--deadline': expected a duration such as 90s, 15m or 1h30m, not 'soon'
        """,
        errors().replace("See how it is used with: weft node drain --help\n", ""));
    assertTrue(services.jobs().drain(Samples.ALPHA).isEmpty());
    errors.reset();
    assertEquals(1, run("node", "drain", "beta"));
    assertEquals(
        "weft: node beta (b2b2b2b2) is not known any more: 'weft node list' shows all\n", errors());
  }

  @Test
  void showsThatANodeIsDrained() throws IOException {
    services.jobs().drain(Samples.ALPHA, Duration.ofHours(1));
    services.resources().eligible(Samples.ALPHA, false);
    assertEquals(0, run("node", "show", "alpha"));
    assertTrue(output().contains("\nState         INELIGIBLE, draining\n"), output());
    assertTrue(output().contains("\nDrain         2 tries left, 0 tries over, 0 of"), output());
    assertTrue(
        output()
            .contains(
                """

                LEFT          JOB          STATE
                1a2b0000/0#1  count words  RUNNING
                1a2b0000/3#1  count words  RUNNING
                """),
        output());
    JsonNode node = json("node", "show", "alpha", "--json");
    assertEquals(1, node.at("/drain/ended").asInt());
    output.reset();
    assertEquals(0, run("node", "list"));
    assertTrue(output().contains("  INELIGIBLE, drained  "), output());
    assertTrue(json("node", "list", "--json").at("/nodes/1/drain").isNull());
  }
}
