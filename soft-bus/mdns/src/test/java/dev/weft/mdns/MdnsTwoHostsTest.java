package dev.weft.mdns;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.testkit.Needs;
import dev.weft.testkit.TwoHosts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("namespaces")
class MdnsTwoHostsTest {
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
    TwoHosts.Program first = hosts.start(0, MdnsHost.class, "1", "w0", "w1");
    await().atMost(START).until(() -> first.printed(0, "STARTED"));
    TwoHosts.Program second = hosts.start(1, MdnsHost.class, "2", "w0", "w1");
    await().atMost(START).until(() -> second.printed(0, "STARTED"));
    await()
        .pollInterval(Duration.ofMillis(100))
        .atMost(Duration.ofSeconds(6))
        .untilAsserted(
            () -> {
              for (int link = 0; link < 2; link++) {
                assertPrinted(first, 0, "FOUND node-2", TwoHosts.address(1, link), "on w" + link);
                assertPrinted(second, 0, "FOUND node-1", TwoHosts.address(0, link), "on w" + link);
                assertPrinted(first, 0, "FOUND node-2", "fe80:", "on w" + link);
                assertPrinted(second, 0, "FOUND node-1", "fe80:", "on w" + link);
              }
            });

    List<String> found =
        first.lines().stream()
            .filter(line -> line.startsWith("FOUND") && line.contains("fe80:"))
            .distinct()
            .toList();
    assertEquals(2, found.size(), "a link-local address belongs to one link: " + found);

    hosts.set(0, 0, false);
    await().atMost(Duration.ofSeconds(8)).until(() -> first.printed(0, "w0", "FAILED"));
    int before = first.lines().size();
    hosts.set(0, 0, true);
    await()
        .atMost(Duration.ofSeconds(14))
        .untilAsserted(
            () -> {
              assertPrinted(first, before, "FOUND node-2", TwoHosts.address(1, 0), "on w0");
              assertPrinted(first, before, "FOUND node-2", "fe80:", "on w0");
            });

    second.finish();
    await().atMost(START).until(() -> second.printed(0, "CLOSED"));
    await().atMost(Duration.ofSeconds(15)).until(() -> first.printed(before, "LOST node-2"));
    assertTrue(second.await(5) == 0, "the second host did not end");
  }

  @Test
  void theContractHolds() throws Exception {
    List<TwoHosts.Program> parts = new ArrayList<>();
    for (int part = 0; part < 4; part++) {
      hosts.addLoneLink(part % 2, "c" + part, "10.78." + part + ".1/24");
      // Each part has a link of its own; the other end of a link would be heard too.
      parts.add(hosts.start(part % 2, ContractHost.class, "c" + part, String.valueOf(part), "4"));
    }
    for (TwoHosts.Program program : parts) {
      await().atMost(Duration.ofSeconds(90)).until(() -> program.printed(0, "ENDED"));
      assertPrinted(program, 0, "ENDED with 0 failures");
    }
  }

  private static void assertPrinted(TwoHosts.Program program, int after, String... parts) {
    assertTrue(
        program.printed(after, parts),
        () -> "no " + String.join(" ", parts) + " in\n" + String.join("\n", program.lines()));
  }
}
