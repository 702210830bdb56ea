package dev.weft.coap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.Bytes;
import dev.weft.api.bus.Announcement;
import dev.weft.api.bus.Role;
import dev.weft.coap.DiscoveryMessage.Unusable;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.network.serialization.UdpDataSerializer;
import org.junit.jupiter.api.Test;

class DiscoveryMessageTest {
  private static final Bytes TOKEN = Bytes.of(new byte[] {1, 2, 3, 4});
  private final Announcement announcement =
      new Announcement(
          "0123abcd", "deadbeef", Set.of(Role.AGENT, Role.MANAGER), 1, 65_535, "a".repeat(63));

  @Test
  void whatIsWrittenIsRead() {
    assertEquals(
        new DiscoveryMessage.Question(Optional.of(announcement), TOKEN),
        parse(DiscoveryMessage.question(announcement, 65_535, TOKEN)));
    assertEquals(
        new DiscoveryMessage.Answer(announcement, TOKEN),
        parse(DiscoveryMessage.answer(announcement, 0, TOKEN)));
    assertEquals(
        new DiscoveryMessage.Goodbye(announcement),
        parse(DiscoveryMessage.goodbye(announcement, 1)));
  }

  @Test
  void anAnswerIsALinkThatOthersCanRead() {
    String text = DiscoveryMessage.answer(announcement, 0, TOKEN).toText();
    assertTrue(text.contains("</weft>"), text);
    assertTrue(text.contains("rt=\"weft\""), text);
  }

  @Test
  void anyCoapClientMayAsk() {
    Request request = new Request(CoAP.Code.GET, CoAP.Type.NON);
    request.getOptions().setUriPath(".well-known/core").addUriQuery("rt=weft");
    request.setToken(TOKEN.toArray());
    request.setMID(7);
    assertEquals(
        new DiscoveryMessage.Question(Optional.empty(), TOKEN),
        parse(Bytes.of(new UdpDataSerializer().getByteArray(request))));
  }

  @Test
  void aBadAnnouncementSaysWhatIsWrong() {
    Request request = new Request(CoAP.Code.GET, CoAP.Type.NON);
    request
        .getOptions()
        .setUriPath(".well-known/core")
        .addUriQuery("rt=weft")
        .addUriQuery("id=deadbeef");
    request.setToken(TOKEN.toArray());
    request.setMID(7);
    assertEquals(
        new Unusable("malformed: no 'roles'"),
        parse(Bytes.of(new UdpDataSerializer().getByteArray(request))));
  }

  @Test
  void noBytesMakeItThrowAndFewMakeItBelieve() {
    long seed = 20_261_201;
    Random random = new Random(seed);
    byte[][] valid = {
      DiscoveryMessage.question(announcement, 1, TOKEN).toArray(),
      DiscoveryMessage.answer(announcement, 1, TOKEN).toArray(),
      DiscoveryMessage.goodbye(announcement, 1).toArray()
    };
    for (int i = 0; i < 50_000; i++) {
      byte[] changed = valid[i % valid.length].clone();
      for (int change = random.nextInt(4); change >= 0; change--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }
      int length = random.nextInt(10) == 0 ? random.nextInt(changed.length) : changed.length;
      DiscoveryMessage parsed = DiscoveryMessage.parse(Arrays.copyOf(changed, length));
      assertFalse(parsed.toString().isEmpty(), "seed " + seed);
    }
    for (int i = 0; i < 50_000; i++) {
      byte[] garbage = new byte[random.nextInt(200)];
      random.nextBytes(garbage);
      assertInstanceOf(Unusable.class, DiscoveryMessage.parse(garbage), "seed " + seed);
    }
  }

  @Test
  void aLargeDatagramIsRefused() {
    assertInstanceOf(Unusable.class, DiscoveryMessage.parse(new byte[1_281]));
  }

  private static DiscoveryMessage parse(Bytes datagram) {
    return DiscoveryMessage.parse(datagram.toArray());
  }
}
