package dev.weft.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.Bytes;
import dev.weft.api.NodeId;
import dev.weft.api.bus.Role;
import dev.weft.core.message.Message;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class WireCodecTest {
  private static final NodeId SENDER = new NodeId("0123456789abcdef".repeat(4));
  private static final int FUZZ_ROUNDS = 10_000;

  /** The text {@code 00112233445566778899aabbccddeeff/3#2}. */
  private static final String STATUS_ATTEMPT = "835000112233445566778899aabbccddeeff0302";

  private final WireCodec codec = new WireCodec();

  @TestFactory
  List<DynamicTest> everyMessageSurvives() {
    return SampleMessages.ALL.stream()
        .map(
            message ->
                DynamicTest.dynamicTest(
                    WireCodec.nameOf(message),
                    () ->
                        assertEquals(
                            new WireCodec.Decoded.Good<>(message),
                            codec.decodeMessage(codec.encode(message)))))
        .toList();
  }

  @Test
  void noKindOfMessageIsForgottenHere() {
    Set<Class<?>> sampled =
        SampleMessages.ALL.stream().map(Object::getClass).collect(Collectors.toSet());
    assertEquals(Set.of(Message.class.getPermittedSubclasses()), sampled);
  }

  @Test
  void theLongestMessagesFitOne() {
    for (Message message : SampleMessages.LONGEST) {
      int length = codec.encode(message).length();
      assertTrue(
          length <= WireCodec.MAXIMUM_BODY,
          WireCodec.nameOf(message) + " has " + length + " bytes");
    }
  }

  @Test
  void everyFrameSurvives() {
    Frame frame =
        new Frame(
            SENDER,
            Long.MAX_VALUE,
            Arrays.stream(Envelope.Kind.values())
                .map(kind -> new Envelope(kind, Long.MAX_VALUE - kind.code(), Bytes.of("body")))
                .toList());
    assertEquals(new WireCodec.Decoded.Good<>(frame), codec.decode(codec.encode(frame)));
    Frame empty = new Frame(SENDER, 0, List.of());
    assertEquals(new WireCodec.Decoded.Good<>(empty), codec.decode(codec.encode(empty)));
  }

  @Test
  void greetingsSurvive() {
    Greeting greeting = new Greeting("host", Set.of(Role.MANAGER, Role.AGENT), 10_000);
    assertEquals(
        new WireCodec.Decoded.Good<>(greeting), codec.decodeGreeting(codec.encode(greeting)));
  }

  @Test
  void framesKeepWithinTheirBounds() {
    Envelope full =
        new Envelope(
            Envelope.Kind.REQUEST, Long.MAX_VALUE, Bytes.of(new byte[WireCodec.MAXIMUM_BODY]));
    Envelope small = new Envelope(Envelope.Kind.ANSWER, Long.MAX_VALUE, Bytes.of(new byte[8]));
    for (List<Envelope> envelopes :
        List.of(List.of(full), Collections.nCopies(Frame.MAXIMUM_ENVELOPES, small))) {
      int sum = envelopes.stream().mapToInt(WireCodec::size).sum();
      int length = codec.encode(new Frame(SENDER, Long.MAX_VALUE, envelopes)).length;
      assertTrue(WireCodec.room(length) <= sum, length + " bytes are more than was said");
    }
  }

  // Golden bytes: whoever changes these changes the protocol, and must raise its version.

  @Test
  void theFormOfAStatusRequestIsFixed() {
    assertEquals(
        "8266537461747573bf68617474656d70747382"
            + "bf67617474656d7074"
            + STATUS_ATTEMPT
            + "6570686173656752554e4e494e47"
            + "67656c61707365641904d2ff"
            + "bf67617474656d7074"
            + STATUS_ATTEMPT
            + "65706861736565454e444544"
            + "67656c61707365641904d2"
            + "676f7574636f6d65bf62697369737563636565646564"
            + "66726573756c74bf62697366696e6c696e65656279746573426869ffff"
            + "ffff",
        HexFormat.of().formatHex(codec.encode(SampleMessages.STATUS).toArray()));
  }

  @Test
  void theFormOfAFrameIsFixed() {
    Frame frame =
        new Frame(
            SENDER,
            7,
            List.of(
                Envelope.of(Envelope.Kind.HEARTBEAT),
                new Envelope(Envelope.Kind.ANSWER, 300, codec.encode(new Message.Done()))));
    assertEquals(
        "84015820" + SENDER.hex() + "0782" + "83020040" + "830519012c48" + "8264446f6e65bfff",
        HexFormat.of().formatHex(codec.encode(frame)));
  }

  // Other versions ----------------------------------------------------------------------------

  @Test
  void anotherVersionIsNamed() {
    byte[] frame = codec.encode(new Frame(SENDER, 1, List.of()));
    frame[1] = 2;
    assertEquals(
        new WireCodec.Decoded.Bad<>("protocol version 2, this node speaks 1"), codec.decode(frame));
  }

  @Test
  void whatALaterVersionAddsIsIgnored() {
    // [1, sender, 1, [[99, 1, h'00'], [2, 0, h'', {"more": [1]}]], "more"]
    byte[] frame =
        HexFormat.of()
            .parseHex(
                "85015820"
                    + SENDER.hex()
                    + "0182831863014100840200"
                    + "40a1646d6f72658101"
                    + "646d6f7265");
    assertEquals(
        new WireCodec.Decoded.Good<>(
            new Frame(SENDER, 1, List.of(Envelope.of(Envelope.Kind.HEARTBEAT)))),
        codec.decode(frame));
    // ["LogChunk", {"offset": 1, "new": {"a": [null]}, "bytes": h'41', "end": true}]
    byte[] message =
        HexFormat.of()
            .parseHex(
                "82684c6f674368756e6ba4666f666673657401636e6577a1616181f665627974657341"
                    + "4163656e64f5");
    assertEquals(
        new WireCodec.Decoded.Good<Message>(new Message.LogChunk(1, Bytes.of("A"), true)),
        codec.decodeMessage(Bytes.of(message)));
  }

  @Test
  void anUnknownKindIsNamed() {
    // ["Fly", {}]
    assertEquals(
        new WireCodec.Decoded.Bad<Message>("unknown kind of message 'Fly'"),
        codec.decodeMessage(Bytes.of(HexFormat.of().parseHex("8263466c79a0"))));
  }

  @Test
  void whatIsMissingIsRefused() {
    for (String message :
        List.of("8266537461747573a0", "82664661696c6564a0", "826643616e63656cf6")) {
      byte[] bytes = HexFormat.of().parseHex(message);
      assertInstanceOf(WireCodec.Decoded.Bad.class, codec.decodeMessage(Bytes.of(bytes)), message);
    }
  }

  // Garbage -----------------------------------------------------------------------------------

  @Test
  void randomBytesNeverThrow() {
    long seed = Long.getLong("weft.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < FUZZ_ROUNDS; round++) {
      byte[] bytes = new byte[random.nextInt(64)];
      random.nextBytes(bytes);
      decodeAll(bytes, seed);
    }
  }

  @Test
  void damagedFramesAndMessagesNeverThrow() {
    long seed = Long.getLong("weft.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < FUZZ_ROUNDS; round++) {
      Message message = SampleMessages.ALL.get(random.nextInt(SampleMessages.ALL.size()));
      Bytes body = codec.encode(message);
      byte[] bytes =
          random.nextBoolean()
              ? body.toArray()
              : codec.encode(
                  new Frame(SENDER, 1, List.of(new Envelope(Envelope.Kind.REQUEST, 1, body))));
      decodeAll(damaged(bytes, random), seed);
    }
  }

  private static byte[] damaged(byte[] bytes, Random random) {
    byte[] damaged =
        random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
    for (int i = random.nextInt(4); i >= 0 && damaged.length > 0; i--) {
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
    }
    return damaged;
  }

  private void decodeAll(byte[] bytes, long seed) {
    try {
      assertNotNull(codec.decode(bytes));
      assertNotNull(codec.decodeMessage(Bytes.of(bytes)));
      assertNotNull(codec.decodeGreeting(Bytes.of(bytes)));
    } catch (RuntimeException | StackOverflowError e) {
      throw new AssertionError(
          "seed " + seed + ": " + HexFormat.of().formatHex(bytes) + " gives " + e, e);
    }
  }

  @Test
  void bombsAreRefused() {
    byte[] deep = new byte[60_000];
    Arrays.fill(deep, (byte) 0x81);
    decodeAll(deep, 0);
    byte[] endless = new byte[60_000];
    Arrays.fill(endless, (byte) 0x9f);
    decodeAll(endless, 0);
    // An array of 2^31 entries and byte strings of 2^40 bytes, in few bytes.
    for (String bomb : List.of("9a7fffffff", "5b0000010000000000", "84015b000000ffffffffff00")) {
      assertInstanceOf(
          WireCodec.Decoded.Bad.class, codec.decode(HexFormat.of().parseHex(bomb)), bomb);
    }
    assertInstanceOf(WireCodec.Decoded.Bad.class, codec.decode(new byte[70_000]));
  }
}
