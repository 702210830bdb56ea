package dev.weft.coap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.Bytes;
import dev.weft.api.bus.Announcement;
import dev.weft.api.bus.Discovery;
import dev.weft.api.bus.Role;
import dev.weft.coap.LinkCore.Effect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LinkCoreTest {
  private static final Bytes TOKEN = Bytes.of(new byte[] {9, 9});
  private final Announcement own = announcement("00000001");
  private final Announcement other = announcement("00000002");
  private final LinkCore core =
      new LinkCore(
          own, new LocalAddress(address(10, 0, 0, 1), 2, "eth0", 24), new SplittableRandom(1), 0);
  private final InetSocketAddress asker = new InetSocketAddress(address(10, 0, 0, 2), 4_000);

  @Test
  void asksAtOnceThenSoonThenAboutEveryFiveSeconds() {
    List<Long> asked = new ArrayList<>();
    for (long now = 0; now < 20_000; now++) {
      if (!sends(core.tick(now)).isEmpty()) {
        asked.add(now);
      }
    }
    assertEquals(List.of(0L, 300L, 1_000L), asked.subList(0, 3));
    for (int i = 3; i < asked.size(); i++) {
      long gap = asked.get(i) - asked.get(i - 1);
      assertTrue(gap >= 4_500 && gap < 5_500, asked.toString());
    }
    assertTrue(asked.size() >= 6, asked.toString());
  }

  @Test
  void aQuestionIsASightingAndIsAnsweredWithinTheLeisure() {
    core.tick(0);
    Bytes question = DiscoveryMessage.question(other, 1, TOKEN);
    List<Effect> effects = core.received(asker, question.toArray(), 10);
    assertEquals(
        1,
        effects.stream()
            .filter(
                it ->
                    it instanceof Effect.Found found
                        && found.sighting().announcement().equals(other)
                        && found.sighting().networkInterface().equals("eth0")
                        && found
                            .sighting()
                            .address()
                            .equals(new InetSocketAddress(asker.getAddress(), other.port())))
            .count());
    assertTrue(core.nextDue() <= 110, "due " + core.nextDue());
    List<Effect.Send> answers = sends(core.tick(110));
    assertEquals(Optional.of(asker), answers.get(0).to());
    assertEquals(
        new DiscoveryMessage.Answer(own, TOKEN),
        DiscoveryMessage.parse(answers.get(0).datagram().toArray()));
  }

  @Test
  void answersPerSourceAreLimited() {
    core.tick(0);
    byte[] question = DiscoveryMessage.question(other, 1, TOKEN).toArray();
    List<String> dropped = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      dropped.addAll(droppedBecause(core.received(asker, question, 10)));
    }
    assertEquals(5, dropped.size());
    assertTrue(dropped.get(0).startsWith("rate"), dropped.toString());
    assertEquals(10, sends(core.tick(200)).size());
    assertTrue(droppedBecause(core.received(asker, question, 1_500)).isEmpty());
  }

  @Test
  void aFloodIsCutAndToldOnce() {
    byte[] garbage = {1};
    int told = 0;
    for (int i = 0; i < 5_000; i++) {
      told += core.received(asker, garbage, 10).size();
    }
    assertEquals(2_000, told);
    List<String> dropped = droppedBecause(core.tick(1_100));
    assertEquals(List.of("rate: 3000 datagrams in one second"), dropped);
  }

  @Test
  void ownAndForeignThingsAreDroppedWithTheirReason() {
    byte[] mine = DiscoveryMessage.question(own, 1, TOKEN).toArray();
    assertTrue(droppedBecause(core.received(asker, mine, 0)).get(0).startsWith("own"));
    byte[] unasked = DiscoveryMessage.answer(other, 1, TOKEN).toArray();
    assertTrue(droppedBecause(core.received(asker, unasked, 0)).get(0).startsWith("answer to no"));
    InetSocketAddress local = new InetSocketAddress(address(127, 0, 0, 1), 4_000);
    byte[] question = DiscoveryMessage.question(other, 1, TOKEN).toArray();
    assertTrue(droppedBecause(core.received(local, question, 0)).get(0).startsWith("from another"));
  }

  @Test
  void aGoodbyeIsALoss() {
    byte[] goodbye = DiscoveryMessage.goodbye(other, 1).toArray();
    assertTrue(
        core.received(asker, goodbye, 0).stream()
            .anyMatch(
                it ->
                    it instanceof Effect.Lost lost
                        && lost.sighting().announcement().equals(other)));
  }

  private static List<Effect.Send> sends(List<Effect> effects) {
    return effects.stream()
        .filter(Effect.Send.class::isInstance)
        .map(Effect.Send.class::cast)
        .toList();
  }

  private static List<String> droppedBecause(List<Effect> effects) {
    return effects.stream()
        .filter(Effect.Traced.class::isInstance)
        .map(it -> ((Effect.Traced) it).trace())
        .filter(it -> it.kind() == Discovery.Trace.Kind.DROPPED)
        .map(Discovery.Trace::detail)
        .toList();
  }

  private static Announcement announcement(String salt) {
    return new Announcement(salt, "aaaaaaaa", Set.of(Role.AGENT), 1, 5_000, "node");
  }

  private static InetAddress address(int a, int b, int c, int d) {
    try {
      return InetAddress.getByAddress(new byte[] {(byte) a, (byte) b, (byte) c, (byte) d});
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }
}
