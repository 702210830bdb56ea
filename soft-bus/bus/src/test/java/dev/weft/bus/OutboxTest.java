package dev.weft.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.Bytes;
import dev.weft.api.NodeId;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OutboxTest {
  private static final InetSocketAddress THERE = new InetSocketAddress("192.0.2.2", 1);
  private static final InetSocketAddress ELSEWHERE = new InetSocketAddress("192.0.2.3", 1);

  private final Outbox outbox =
      new Outbox(new NodeId("ab".repeat(32)), Long.MAX_VALUE, new WireCodec());

  private static Envelope envelope(int length) {
    return new Envelope(Envelope.Kind.REQUEST, Long.MAX_VALUE, Bytes.of(new byte[length]));
  }

  private FakeEndpoint flush(int maximumFrame) {
    FakeEndpoint endpoint = new FakeEndpoint(maximumFrame);
    outbox.flush(endpoint, () -> {}, (to, result) -> {});
    assertEquals(0, outbox.size());
    return endpoint;
  }

  @Test
  void smallOnesForOneAddressTravelTogether() {
    outbox.add(THERE, envelope(1));
    outbox.add(ELSEWHERE, envelope(2));
    outbox.add(THERE, envelope(3));
    assertEquals(3, outbox.size());
    FakeEndpoint endpoint = flush(1_024);
    assertEquals(2, endpoint.frames.size());
    assertEquals(List.of(envelope(1), envelope(3), envelope(2)), endpoint.envelopes);
    assertEquals(0, flush(1_024).frames.size(), "sent once");
  }

  @Test
  void noFrameIsLongerThanTheTransportCarries() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      int maximum = 512 + random.nextInt(60_000);
      List<Envelope> all = new ArrayList<>();
      for (int i = random.nextInt(400); i >= 0; i--) {
        all.add(envelope(random.nextInt(maximum - 96 + 1)));
        outbox.add(THERE, all.get(all.size() - 1));
      }
      FakeEndpoint endpoint = flush(maximum);
      for (byte[] frame : endpoint.frames) {
        assertTrue(frame.length <= maximum, "seed " + seed + ": " + frame.length);
      }
      assertEquals(all, endpoint.envelopes, "seed " + seed + ": all of them, in order");
    }
  }

  @Test
  void noFrameHasMoreEnvelopesThanAreRead() {
    Collections.nCopies(600, Envelope.of(Envelope.Kind.HEARTBEAT))
        .forEach(envelope -> outbox.add(THERE, envelope));
    FakeEndpoint endpoint = flush(64 * 1024);
    assertEquals(3, endpoint.frames.size());
    assertEquals(600, endpoint.envelopes.size());
  }

  @Test
  void whatIsTooLongByItselfIsNotSent() {
    outbox.add(THERE, envelope(2_000));
    outbox.add(THERE, envelope(1));
    assertEquals(List.of(envelope(1)), flush(1_024).envelopes);
  }
}
