package dev.weft.bus;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.type.TypeFactory;
import com.fasterxml.jackson.databind.util.LRUMap;
import com.fasterxml.jackson.databind.util.LookupCache;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import dev.weft.api.Bytes;
import dev.weft.api.NodeId;
import dev.weft.core.message.Message;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The wire form of frames, greetings and messages: CBOR, described in {@code docs/protocol.md}.
 * What cannot be read gives a reason, never an exception. Thread-safe.
 */
final class WireCodec {
  /** Largest message in wire form, in bytes. */
  static final int MAXIMUM_BODY = 48 * 1024;

  private static final int MAXIMUM_FRAME = 64 * 1024;
  private static final int MAXIMUM_DEPTH = 24;
  private static final int TYPE_CACHE = 64;
  private static final int ENVELOPE_OVERHEAD = 32;
  private static final int FRAME_OVERHEAD = 64;

  /** Every kind of message by its name on the wire. */
  private static final Map<String, Class<? extends Message>> KINDS =
      List.of(
              Message.Report.class,
              Message.Reported.class,
              Message.Assign.class,
              Message.Assigned.class,
              Message.Cancel.class,
              Message.Cancelled.class,
              Message.Status.class,
              Message.StatusReceived.class,
              Message.ReadLog.class,
              Message.LogChunk.class,
              Message.Place.class,
              Message.Placements.class,
              Message.Over.class,
              Message.Withdraw.class,
              Message.Suspect.class,
              Message.Leading.class,
              Message.Done.class,
              Message.Failed.class)
          .stream()
          .collect(Collectors.toUnmodifiableMap(Class::getSimpleName, kind -> kind));

  private final ObjectMapper mapper;

  WireCodec() {
    CBORFactory factory =
        CBORFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(MAXIMUM_DEPTH)
                    .maxStringLength(MAXIMUM_FRAME)
                    .maxDocumentLength(MAXIMUM_FRAME)
                    .build())
            .build();
    mapper = new ObjectMapper(factory);
    // An own cache of types: the shared one would keep every old version of our bundles alive.
    LookupCache<Object, JavaType> types = new LRUMap<>(TYPE_CACHE / 4, TYPE_CACHE);
    mapper.setTypeFactory(TypeFactory.defaultInstance().withCache(types));
    mapper.registerModule(new Jdk8Module());
    mapper.registerModule(new WireTypes());
    mapper.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    mapper.enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES);
    mapper.enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
    mapper.setDefaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL));
    mapper.setDefaultPropertyInclusion(JsonInclude.Include.NON_ABSENT);
    mapper.disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE);
  }

  /** What was read. */
  sealed interface Decoded<T> {
    /** It was well formed. */
    record Good<T>(T value) implements Decoded<T> {}

    /** It was not, and why. */
    record Bad<T>(String reason) implements Decoded<T> {}
  }

  /** How many bytes an envelope takes in a frame, at most. */
  static int size(Envelope envelope) {
    return envelope.body().length() + ENVELOPE_OVERHEAD;
  }

  /** How many bytes of a frame envelopes may take. */
  static int room(int maximumFrame) {
    return maximumFrame - FRAME_OVERHEAD;
  }

  /** Longest message that fits a frame. */
  static int longestBody(int maximumFrame) {
    return room(maximumFrame) - ENVELOPE_OVERHEAD;
  }

  /** The name of a kind of message on the wire. */
  static String nameOf(Message message) {
    return message.getClass().getSimpleName();
  }

  byte[] encode(Frame frame) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(512);
    try (JsonGenerator generator = mapper.getFactory().createGenerator(out)) {
      generator.writeStartArray(frame, 4);
      generator.writeNumber(Frame.PROTOCOL);
      generator.writeBinary(HexFormat.of().parseHex(frame.sender().hex()));
      generator.writeNumber(frame.boot());
      generator.writeStartArray(frame, frame.envelopes().size());
      for (Envelope envelope : frame.envelopes()) {
        generator.writeStartArray(envelope, 3);
        generator.writeNumber(envelope.kind().code());
        generator.writeNumber(envelope.id());
        generator.writeBinary(envelope.body().toArray());
        generator.writeEndArray();
      }
      generator.writeEndArray();
      generator.writeEndArray();
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory cannot fail", e);
    }
    return out.toByteArray();
  }

  Decoded<Frame> decode(byte[] bytes) {
    if (bytes.length > MAXIMUM_FRAME) {
      return new Decoded.Bad<>("longer than " + MAXIMUM_FRAME + " bytes");
    }
    try (JsonParser parser = mapper.getFactory().createParser(bytes)) {
      expect(parser, JsonToken.START_ARRAY);
      expect(parser, JsonToken.VALUE_NUMBER_INT);
      if (parser.getIntValue() != Frame.PROTOCOL) {
        return new Decoded.Bad<>(
            "protocol version " + parser.getIntValue() + ", this node speaks " + Frame.PROTOCOL);
      }
      expect(parser, JsonToken.VALUE_EMBEDDED_OBJECT);
      NodeId sender = new NodeId(HexFormat.of().formatHex(parser.getBinaryValue()));
      expect(parser, JsonToken.VALUE_NUMBER_INT);
      long boot = parser.getLongValue();
      expect(parser, JsonToken.START_ARRAY);
      return new Decoded.Good<>(new Frame(sender, boot, envelopes(parser)));
    } catch (IOException | RuntimeException e) { // the parser faces strangers: nothing may get out
      return new Decoded.Bad<>("not a frame: " + brief(e));
    }
  }

  private static List<Envelope> envelopes(JsonParser parser) throws IOException {
    List<Envelope> envelopes = new ArrayList<>();
    while (parser.nextToken() == JsonToken.START_ARRAY) {
      expect(parser, JsonToken.VALUE_NUMBER_INT);
      int kind = parser.getIntValue();
      expect(parser, JsonToken.VALUE_NUMBER_INT);
      long id = parser.getLongValue();
      expect(parser, JsonToken.VALUE_EMBEDDED_OBJECT);
      Bytes body = Bytes.of(parser.getBinaryValue());
      skipRest(parser);
      if (envelopes.size() == Frame.MAXIMUM_ENVELOPES) {
        throw new IllegalArgumentException("more than " + Frame.MAXIMUM_ENVELOPES + " envelopes");
      }
      // What a later version has more is not for us.
      Envelope.Kind.of(kind).ifPresent(known -> envelopes.add(new Envelope(known, id, body)));
    }
    return envelopes;
  }

  /** Skips what a later version may have added to an array. */
  private static void skipRest(JsonParser parser) throws IOException {
    JsonToken token = parser.nextToken();
    while (token != JsonToken.END_ARRAY) {
      if (token == null) {
        throw new IllegalArgumentException("an array has no end");
      }
      parser.skipChildren();
      token = parser.nextToken();
    }
  }

  private static void expect(JsonParser parser, JsonToken token) throws IOException {
    JsonToken found = parser.nextToken();
    if (found != token) {
      throw new IllegalArgumentException("expected " + token + ", found " + found);
    }
  }

  /**
   * The wire form of a message, which may be longer than {@link #MAXIMUM_BODY}.
   *
   * @throws IllegalArgumentException if a value cannot be written, such as an endless duration
   */
  Bytes encode(Message message) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(256);
    try (JsonGenerator generator = mapper.getFactory().createGenerator(out)) {
      generator.writeStartArray(message, 2);
      generator.writeString(nameOf(message));
      mapper.writeValue(generator, message);
      generator.writeEndArray();
    } catch (IOException e) {
      throw new IllegalArgumentException(brief(e), e);
    }
    return Bytes.of(out.toByteArray());
  }

  Decoded<Message> decodeMessage(Bytes body) {
    try (JsonParser parser = mapper.getFactory().createParser(body.toArray())) {
      expect(parser, JsonToken.START_ARRAY);
      expect(parser, JsonToken.VALUE_STRING);
      Class<? extends Message> kind = KINDS.get(parser.getText());
      if (kind == null) {
        return new Decoded.Bad<>("unknown kind of message '" + parser.getText() + "'");
      }
      parser.nextToken();
      Message message = mapper.readValue(parser, kind);
      return message == null
          ? new Decoded.Bad<>("a message without content")
          : new Decoded.Good<>(message);
    } catch (IOException | RuntimeException e) { // the parser faces strangers: nothing may get out
      return new Decoded.Bad<>("not a message: " + brief(e));
    }
  }

  Bytes encode(Greeting greeting) {
    try {
      return Bytes.of(mapper.writeValueAsBytes(greeting));
    } catch (IOException e) {
      throw new IllegalStateException("a greeting cannot be written", e);
    }
  }

  Decoded<Greeting> decodeGreeting(Bytes body) {
    try {
      Greeting greeting = mapper.readValue(body.toArray(), Greeting.class);
      return greeting == null
          ? new Decoded.Bad<>("a greeting without content")
          : new Decoded.Good<>(greeting);
    } catch (IOException | RuntimeException e) { // the parser faces strangers: nothing may get out
      return new Decoded.Bad<>("not a greeting: " + brief(e));
    }
  }

  private static String brief(Exception e) {
    String message = String.valueOf(e.getMessage());
    int line = message.indexOf('\n');
    return line < 0 ? message : message.substring(0, line);
  }
}
