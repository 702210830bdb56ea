package dev.weft.bus;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.weft.api.Amount;
import dev.weft.api.AttemptId;
import dev.weft.api.Bytes;
import dev.weft.api.Environment;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.ResourceType;
import dev.weft.api.TaskId;
import dev.weft.api.inventory.Device;
import dev.weft.api.job.Shard;
import dev.weft.core.message.Outcome;
import dev.weft.core.resources.Placement;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/**
 * How the values inside messages look on the wire: identifiers as text, durations in milliseconds,
 * amounts as maps, and {@code is} naming the case of a closed choice.
 */
final class WireTypes extends SimpleModule {
  private static final long serialVersionUID = 1L;

  WireTypes() {
    super("weft", Version.unknownVersion());
    text(NodeId.class, NodeId::hex, NodeId::new);
    text(JobId.class, JobId::hex, JobId::new);
    text(Environment.class, Environment::name, Environment::new);
    text(ResourceType.class, ResourceType::name, ResourceType::new);
    addSerializer(new AttemptWriter());
    addDeserializer(AttemptId.class, new AttemptReader());
    number(Duration.class, Duration::toMillis, Duration::ofMillis);
    addSerializer(new BytesWriter());
    addDeserializer(Bytes.class, new BytesReader());
    addSerializer(new AmountWriter());
    addDeserializer(Amount.class, new AmountReader());
    addKeyDeserializer(
        Environment.class,
        new KeyDeserializer() {
          @Override
          public Object deserializeKey(String key, DeserializationContext context) {
            return new Environment(key);
          }
        });
    addKeySerializer(
        NodeId.class,
        new StdSerializer<>(NodeId.class) {
          private static final long serialVersionUID = 1L;

          @Override
          public void serialize(NodeId value, JsonGenerator out, SerializerProvider provider)
              throws IOException {
            out.writeFieldName(value.hex());
          }
        });
    addKeyDeserializer(
        NodeId.class,
        new KeyDeserializer() {
          @Override
          public Object deserializeKey(String key, DeserializationContext context) {
            return new NodeId(key);
          }
        });
    setMixInAnnotation(Shard.class, ShardCases.class);
    setMixInAnnotation(Placement.class, PlacementCases.class);
    setMixInAnnotation(Outcome.class, OutcomeCases.class);
    setMixInAnnotation(Outcome.Result.class, ResultCases.class);
    setMixInAnnotation(Device.class, DeviceCases.class);
  }

  private <T> void text(Class<T> type, Function<T, String> write, Function<String, T> read) {
    addSerializer(
        new StdSerializer<T>(type) {
          private static final long serialVersionUID = 1L;

          @Override
          public void serialize(T value, JsonGenerator out, SerializerProvider provider)
              throws IOException {
            out.writeString(write.apply(value));
          }
        });
    addDeserializer(
        type,
        new StdDeserializer<T>(type) {
          private static final long serialVersionUID = 1L;

          @Override
          public T deserialize(JsonParser in, DeserializationContext context) throws IOException {
            return read.apply(in.getValueAsString(""));
          }
        });
  }

  private <T> void number(Class<T> type, ToLongFunction<T> write, LongFunction<T> read) {
    addSerializer(
        new StdSerializer<T>(type) {
          private static final long serialVersionUID = 1L;

          @Override
          public void serialize(T value, JsonGenerator out, SerializerProvider provider)
              throws IOException {
            out.writeNumber(write.applyAsLong(value));
          }
        });
    addDeserializer(
        type,
        new StdDeserializer<T>(type) {
          private static final long serialVersionUID = 1L;

          @Override
          public T deserialize(JsonParser in, DeserializationContext context) throws IOException {
            return read.apply(in.getLongValue());
          }
        });
  }

  /**
   * An attempt is an array of three: the job's 16 bytes, the task's index, the attempt's number.
   */
  private static final class AttemptWriter extends StdSerializer<AttemptId> {
    private static final long serialVersionUID = 1L;

    AttemptWriter() {
      super(AttemptId.class);
    }

    @Override
    public void serialize(AttemptId value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeStartArray(value, 3);
      out.writeBinary(HexFormat.of().parseHex(value.task().job().hex()));
      out.writeNumber(value.task().index());
      out.writeNumber(value.number());
      out.writeEndArray();
    }
  }

  private static final class AttemptReader extends StdDeserializer<AttemptId> {
    private static final long serialVersionUID = 1L;

    AttemptReader() {
      super(AttemptId.class);
    }

    @Override
    public AttemptId deserialize(JsonParser in, DeserializationContext context) throws IOException {
      if (!in.isExpectedStartArrayToken()) {
        throw new IllegalArgumentException("an attempt is an array, found " + in.currentToken());
      }
      in.nextToken();
      JobId job = new JobId(HexFormat.of().formatHex(in.getBinaryValue()));
      in.nextToken();
      int index = in.getIntValue();
      in.nextToken();
      int number = in.getIntValue();
      if (in.nextToken() != JsonToken.END_ARRAY) {
        throw new IllegalArgumentException("an attempt has three parts");
      }
      return new AttemptId(new TaskId(job, index), number);
    }
  }

  private static final class BytesWriter extends StdSerializer<Bytes> {
    private static final long serialVersionUID = 1L;

    BytesWriter() {
      super(Bytes.class);
    }

    @Override
    public void serialize(Bytes value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeBinary(value.toArray());
    }
  }

  private static final class BytesReader extends StdDeserializer<Bytes> {
    private static final long serialVersionUID = 1L;

    BytesReader() {
      super(Bytes.class);
    }

    @Override
    public Bytes deserialize(JsonParser in, DeserializationContext context) throws IOException {
      return Bytes.of(in.getBinaryValue());
    }
  }

  private static final class AmountWriter extends StdSerializer<Amount> {
    private static final long serialVersionUID = 1L;

    AmountWriter() {
      super(Amount.class);
    }

    @Override
    public void serialize(Amount value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeStartObject();
      for (Map.Entry<ResourceType, Long> entry : value.asMap().entrySet()) {
        out.writeNumberField(entry.getKey().name(), entry.getValue());
      }
      out.writeEndObject();
    }
  }

  private static final class AmountReader extends StdDeserializer<Amount> {
    private static final long serialVersionUID = 1L;
    private static final int MAXIMUM_TYPES = 64;

    AmountReader() {
      super(Amount.class);
    }

    @Override
    public Amount deserialize(JsonParser in, DeserializationContext context) throws IOException {
      Map<ResourceType, Long> values = new HashMap<>();
      String name;
      while ((name = in.nextFieldName()) != null) {
        in.nextToken();
        if (values.size() == MAXIMUM_TYPES) {
          throw new IllegalArgumentException("more than " + MAXIMUM_TYPES + " resource types");
        }
        values.put(new ResourceType(name), in.getLongValue());
      }
      return Amount.of(values);
    }
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Shard.Content.class, name = "content"),
    @JsonSubTypes.Type(value = Shard.Numbers.class, name = "numbers"),
    @JsonSubTypes.Type(value = Shard.Index.class, name = "index")
  })
  private interface ShardCases {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Outcome.Succeeded.class, name = "succeeded"),
    @JsonSubTypes.Type(value = Outcome.Failed.class, name = "failed"),
    @JsonSubTypes.Type(value = Outcome.Stopped.class, name = "stopped")
  })
  private interface OutcomeCases {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Outcome.Result.Inline.class, name = "inline"),
    @JsonSubTypes.Type(value = Outcome.Result.Stored.class, name = "stored")
  })
  private interface ResultCases {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Placement.Placed.class, name = "placed"),
    @JsonSubTypes.Type(value = Placement.NotPlaced.class, name = "refused")
  })
  private interface PlacementCases {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Device.Cpu.class, name = "cpu"),
    @JsonSubTypes.Type(value = Device.Memory.class, name = "memory"),
    @JsonSubTypes.Type(value = Device.Disk.class, name = "disk"),
    @JsonSubTypes.Type(value = Device.OperatingSystem.class, name = "system"),
    @JsonSubTypes.Type(value = Device.Gpu.class, name = "gpu")
  })
  private interface DeviceCases {}
}
