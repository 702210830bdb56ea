package dev.weft.coap;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weft.testkit.Needs;
import dev.weft.testkit.TwoHosts;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("namespaces")
class CoapTwoHostsTest {
  private static final Duration START = Duration.ofSeconds(20);
  private TwoHosts hosts;

  @BeforeEach
  void make() throws Exception {
    Needs.namespaces();
    hosts = new TwoHosts();
  }

  @AfterEach
  void remove() {
    if (hosts != null) {
      hosts.close();
    }
  }

  @Test
  void twoHostsFindEachOtherOnBothLinksAndInBothFamilies() throws Exception {
    TwoHosts.Program first = hosts.start(0, CoapHost.class, "1", "w0", "w1");
    await().atMost(START).until(() -> first.printed(0, "STARTED"));
    TwoHosts.Program second = hosts.start(1, CoapHost.class, "2", "w0", "w1");
    await().atMost(START).until(() -> asksOnEveryLink(second));
    await()
        .atMost(Duration.ofSeconds(2))
        .untilAsserted(
            () -> {
              for (int link = 1; link >= 0; link--) {
                assertFound(second, 0, "node-1", TwoHosts.address(0, link), "on w" + link);
                assertFound(first, 0, "node-2", TwoHosts.address(1, link), "on w" + link);
                assertFound(first, 0, "node-2", "fe80:", "on w" + link);
                assertFound(second, 0, "node-1", "fe80:", "on w" + link);
              }
            });

    hosts.set(0, 0, false);
    await().atMost(Duration.ofSeconds(5)).until(() -> first.printed(0, "w0", "FAILED"));
    int before = first.lines().size();
    int secondBefore = second.lines().size();
    hosts.set(0, 0, true);
    await()
        .atMost(Duration.ofSeconds(6))
        .untilAsserted(
            () -> {
              assertFound(first, before, "node-2", TwoHosts.address(1, 0), "on w0");
              assertFound(first, before, "node-2", "fe80:", "on w0");
              assertFound(second, secondBefore, "node-1", TwoHosts.address(0, 0), "on w0");
            });

    second.finish();
    await().atMost(START).until(() -> second.printed(0, "CLOSED"));
    await()
        .atMost(Duration.ofSeconds(1))
        .until(() -> first.printed(0, "LOST node-2") && second.await(1) == 0);
  }

  @Test
  void onlyTheGivenInterfacesAreUsed() throws Exception {
    TwoHosts.Program first = hosts.start(0, CoapHost.class, "1", "w0");
    hosts.start(1, CoapHost.class, "2", "w0", "w1");
    TwoHosts.Program third = hosts.start(0, CoapHost.class, "3", "w1");
    await()
        .atMost(START)
        .untilAsserted(
            () -> {
              assertFound(first, 0, "node-2", TwoHosts.address(1, 0));
              assertFound(third, 0, "node-2", TwoHosts.address(1, 1));
            });
    await()
        .during(Duration.ofSeconds(2))
        .until(
            () ->
                !first.printed(0, "on w1")
                    && !third.printed(0, "on w0")
                    && !first.printed(0, "FOUND node-3")
                    && !third.printed(0, "FOUND node-1"));
  }

  @Test
  void theLargestFrameCrossesALinkInBothFamilies() throws Exception {
    TwoHosts.Program target = hosts.start(1, TransportHost.class, "w0");
    await()
        .atMost(START)
        .until(
            () ->
                target.printed(0, "LISTENING fe80:")
                    && target.printed(0, "LISTENING " + TwoHosts.address(1, 0)));
    for (String line : target.lines()) {
      if (line.startsWith("LISTENING")) {
        String[] words = line.split(" ", -1);
        TwoHosts.Program sender = hosts.start(0, TransportHost.class, "w0", words[1], words[2]);
        await().atMost(START).until(() -> sender.printed(0, "SENT Delivered"));
        await().atMost(START).until(() -> sender.printed(0, "RECEIVED 61440"));
      }
    }
  }

  private static boolean asksOnEveryLink(TwoHosts.Program program) {
    return program.lines().stream().filter(line -> line.contains("SENT")).count() >= 4;
  }

  private static void assertFound(TwoHosts.Program program, int after, String... parts) {
    String[] all = new String[parts.length + 1];
    all[0] = "FOUND";
    System.arraycopy(parts, 0, all, 1, parts.length);
    assertEquals(
        true,
        program.printed(after, all),
        () -> "no " + String.join(" ", all) + " in\n" + String.join("\n", program.lines()));
  }
}
