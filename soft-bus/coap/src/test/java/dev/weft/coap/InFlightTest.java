package dev.weft.coap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InFlightTest {
  private final InetSocketAddress one = InetSocketAddress.createUnresolved("one", 1);
  private final InetSocketAddress two = InetSocketAddress.createUnresolved("two", 1);

  @Test
  void boundsHoldPerPeerAndInAll() {
    InFlight<String> inFlight = new InFlight<>(2, 3, 0);
    assertTrue(inFlight.begin(one, "a", 0).isPresent());
    InFlight.Key second = inFlight.begin(one, "b", 0).orElseThrow();
    assertTrue(inFlight.begin(one, "c", 0).isEmpty());
    assertTrue(inFlight.begin(two, "d", 0).isPresent());
    assertTrue(inFlight.begin(two, "e", 0).isEmpty());
    assertEquals(Optional.of("b"), inFlight.end(second));
    assertEquals(Optional.empty(), inFlight.end(second));
    assertTrue(inFlight.begin(one, "f", 0).isPresent());
  }

  @Test
  void idsNeverRunOutAndAnIdUnderWayIsNotGivenAgain() {
    InFlight<String> inFlight = new InFlight<>(2, 3, 65_535);
    InFlight.Key slow = inFlight.begin(one, "slow", 0).orElseThrow();
    assertEquals(65_535, slow.id());
    for (int i = 0; i < 200_000; i++) {
      InFlight.Key key = inFlight.begin(one, "fast", 0).orElseThrow();
      assertNotEquals(slow.id(), key.id());
      assertTrue(key.id() >= 0 && key.id() < 65_536);
      inFlight.end(key);
    }
  }

  @Test
  void whatIsOverdueIsFound() {
    InFlight<String> inFlight = new InFlight<>(2, 3, 0);
    InFlight.Key early = inFlight.begin(one, "early", Long.MAX_VALUE).orElseThrow();
    InFlight.Key late = inFlight.begin(one, "late", Long.MIN_VALUE + 10).orElseThrow();
    assertEquals(List.of(early), inFlight.begunBefore(Long.MIN_VALUE + 5));
    assertEquals(2, inFlight.keys().size());
    inFlight.end(late);
    assertEquals(List.of(early), inFlight.keys());
  }
}
