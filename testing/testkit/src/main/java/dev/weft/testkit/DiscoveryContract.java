package dev.weft.testkit;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.NodeId;
import dev.weft.api.bus.Announcement;
import dev.weft.api.bus.Discovery;
import dev.weft.api.bus.Discovery.Sighting;
import dev.weft.api.bus.Discovery.Trace;
import dev.weft.api.bus.Role;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Discovery} must do. A discovery's test extends this; two searches in this
 * process stand for two nodes on the addresses that it gives.
 */
public abstract class DiscoveryContract {
  private static final Duration CLOSE = Duration.ofSeconds(3);

  private final List<Discovery.Search> started = new ArrayList<>();

  /** For subclasses. */
  protected DiscoveryContract() {}

  /** The discovery under test. */
  protected abstract Discovery discovery();

  /** Local addresses to work on, at least one. */
  protected abstract List<InetAddress> addresses();

  /** Time within which nodes find each other. */
  protected Duration foundWithin() {
    return Duration.ofSeconds(2);
  }

  /** Time within which a node that stays is reported again. */
  protected Duration seenAgainWithin() {
    return Duration.ofSeconds(8);
  }

  /** Time after the close within which the goodbye is heard. */
  protected Duration goodbyeWithin() {
    return Duration.ofSeconds(1);
  }

  /** Starts a search that is closed after the test. */
  protected final Discovery.Search start(Announcement own, Discovery.Listener listener)
      throws IOException {
    Discovery.Search search = discovery().start(own, addresses(), listener);
    started.add(search);
    return search;
  }

  @AfterEach
  void closeAll() {
    started.forEach(Discovery.Search::close);
  }

  @Test
  void nodesFindEachOtherWithAllThatTheyAnnounce() throws IOException {
    Heard first = new Heard();
    Heard second = new Heard();
    start(announcement(1), first);
    start(announcement(2), second);
    await().atMost(foundWithin()).until(() -> first.sees(2) && second.sees(1));
    Sighting sighting = first.found.get(0);
    assertEquals(announcement(2), sighting.announcement());
    assertEquals(announcement(2).port(), sighting.address().getPort());
    assertTrue(addresses().contains(sighting.address().getAddress()), sighting.toString());
  }

  @Test
  void aNodeDoesNotFindItself() throws IOException {
    Heard first = new Heard();
    Heard second = new Heard();
    start(announcement(1), first);
    start(announcement(2), second);
    await().atMost(foundWithin()).until(() -> first.sees(2) && second.sees(1));
    assertTrue(!first.sees(1) && !second.sees(2), "own announcement reported");
  }

  @Test
  void aNodeThatStaysIsReportedAgain() throws IOException {
    Heard first = new Heard();
    start(announcement(1), first);
    start(announcement(2), new Heard());
    await().atMost(foundWithin()).until(() -> first.sees(2));
    int before = first.found.size();
    await().atMost(seenAgainWithin()).until(() -> first.found.size() > before);
  }

  @Test
  void aGoodbyeIsHeard() throws IOException {
    Heard first = new Heard();
    start(announcement(1), first);
    Discovery.Search second = start(announcement(2), new Heard());
    await().atMost(foundWithin()).until(() -> first.sees(2));
    second.close();
    await()
        .atMost(goodbyeWithin())
        .until(() -> first.lost.stream().anyMatch(it -> it.announcement().equals(announcement(2))));
  }

  @Test
  void anotherProtocolVersionIsReportedToo() throws IOException {
    Heard first = new Heard();
    start(announcement(1), first);
    Announcement newer =
        new Announcement("00000003", "abcdef03", Set.of(Role.MANAGER), 99, 1_003, "newer");
    start(newer, new Heard());
    await()
        .atMost(foundWithin())
        .until(() -> first.found.stream().anyMatch(it -> it.announcement().equals(newer)));
  }

  @Test
  void nothingIsSilent() throws IOException {
    Heard first = new Heard();
    start(announcement(1), first);
    start(announcement(2), new Heard());
    await()
        .atMost(foundWithin())
        .until(() -> first.traced(Trace.Kind.SENT) && first.traced(Trace.Kind.RECEIVED));
    assertTrue(
        first.traces.stream().noneMatch(it -> it.networkInterface().isBlank()),
        first.traces.toString());
  }

  @Test
  void closingIsQuickAndIdempotentAndThenAllIsQuiet() throws IOException {
    Heard first = new Heard();
    Discovery.Search search = start(announcement(1), first);
    await().atMost(foundWithin()).until(() -> first.traced(Trace.Kind.SENT));
    long begin = System.nanoTime();
    search.close();
    Duration took = Duration.ofNanos(System.nanoTime() - begin);
    assertTrue(took.compareTo(CLOSE) <= 0, "close took " + took);
    search.close();
    int traces = first.traces.size();
    start(announcement(2), new Heard());
    await().during(Duration.ofMillis(500)).until(() -> first.traces.size() == traces);
    assertTrue(!first.sees(2), "found after the close");
  }

  /** The announcement of a node with this number. */
  protected static Announcement announcement(int number) {
    String salt = String.format("%08x", number);
    NodeId node = new NodeId(String.format("%064x", number));
    return new Announcement(
        salt,
        Announcement.shortId(salt, node),
        number % 2 == 0 ? Set.of(Role.AGENT) : Set.of(Role.MANAGER, Role.AGENT),
        1,
        1_000 + number,
        "node-" + number);
  }

  /** A listener that remembers. */
  protected static final class Heard implements Discovery.Listener {
    final List<Sighting> found = new CopyOnWriteArrayList<>();
    final List<Sighting> lost = new CopyOnWriteArrayList<>();
    final List<Trace> traces = new CopyOnWriteArrayList<>();

    /** A listener that has heard nothing. */
    public Heard() {}

    @Override
    public void found(Sighting sighting) {
      found.add(sighting);
    }

    @Override
    public void lost(Sighting sighting) {
      lost.add(sighting);
    }

    @Override
    public void traced(Trace trace) {
      traces.add(trace);
    }

    /** Whether the node with this number was found. */
    public boolean sees(int number) {
      return found.stream().anyMatch(it -> it.announcement().equals(announcement(number)));
    }

    /** What was traced, in order. */
    public List<Trace> traces() {
      return List.copyOf(traces);
    }

    /** Whether something of this kind was traced. */
    public boolean traced(Trace.Kind kind) {
      return traces.stream().anyMatch(it -> it.kind() == kind);
    }
  }
}
