package dev.weft.shell.render;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.weft.api.Amount;
import dev.weft.api.Environment;
import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import dev.weft.api.policy.Refusal;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Writes one JSON document. Field names are part of what users rely on and are spelled out here and
 * in the other renderers, never taken from the records; a value that is not there is {@code null}.
 * Times are ISO 8601 in UTC; amounts are in base units, which their names say.
 */
public final class Json {
  private final JsonGenerator generator;

  private Json(JsonGenerator generator) {
    this.generator = generator;
  }

  /** Writes a document and the end of a line to a stream, which stays open. */
  public static void write(PrintStream output, Content content) throws IOException {
    DefaultIndenter lines = new DefaultIndenter("  ", "\n");
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
    printer.indentObjectsWith(lines);
    printer.indentArraysWith(lines);
    JsonFactory factory = new JsonFactory().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    try (JsonGenerator generator = factory.createGenerator(output)) {
      generator.setPrettyPrinter(printer);
      content.write(new Json(generator));
    }
    output.print('\n');
  }

  /** Something to be written. */
  @FunctionalInterface
  public interface Content {
    /** Writes it. */
    void write(Json json) throws IOException;
  }

  /** An object as a value: an element of an array or the document. */
  public Json object(Content fields) throws IOException {
    generator.writeStartObject();
    fields.write(this);
    generator.writeEndObject();
    return this;
  }

  /** An object as a field. */
  public Json object(String name, Content fields) throws IOException {
    generator.writeFieldName(name);
    return object(fields);
  }

  /** An array as a value. */
  public Json array(Content elements) throws IOException {
    generator.writeStartArray();
    elements.write(this);
    generator.writeEndArray();
    return this;
  }

  /** An array as a field. */
  public Json array(String name, Content elements) throws IOException {
    generator.writeFieldName(name);
    return array(elements);
  }

  /** An array of strings as a field. */
  public Json strings(String name, Iterable<String> values) throws IOException {
    return array(
        name,
        json -> {
          for (String value : values) {
            json.generator.writeString(value);
          }
        });
  }

  /** A string as a field. */
  public Json field(String name, String value) throws IOException {
    generator.writeStringField(name, value);
    return this;
  }

  /** A string that may be missing. */
  public Json field(String name, Optional<String> value) throws IOException {
    if (value.isPresent()) {
      return field(name, value.get());
    }
    return none(name);
  }

  /** A whole number as a field. */
  public Json field(String name, long value) throws IOException {
    generator.writeNumberField(name, value);
    return this;
  }

  /** A number as a field. */
  public Json decimal(String name, double value) throws IOException {
    generator.writeNumberField(name, value);
    return this;
  }

  /** A truth value as a field. */
  public Json field(String name, boolean value) throws IOException {
    generator.writeBooleanField(name, value);
    return this;
  }

  /** A moment as a field. */
  public Json time(String name, Instant value) throws IOException {
    return field(name, value.toString());
  }

  /** A moment that may be missing. */
  public Json time(String name, Optional<Instant> value) throws IOException {
    return field(name, value.map(Instant::toString));
  }

  /** A field without a value. */
  public Json none(String name) throws IOException {
    generator.writeNullField(name);
    return this;
  }

  /** A fault that may be missing. */
  public Json fault(String name, Optional<Fault> fault) throws IOException {
    if (fault.isEmpty()) {
      return none(name);
    }
    Fault value = fault.get();
    return object(
        name,
        json ->
            json.field("code", value.code())
                .field("category", value.category().name())
                .field("message", value.message())
                .field("retry", value.retry()));
  }

  /** Why nodes cannot take a task, in order of id. */
  public Json refusals(Map<NodeId, Refusal> refusals, NodeNames names) throws IOException {
    return array(
        "refusals",
        json -> {
          for (var refusal : new TreeMap<>(refusals).entrySet()) {
            json.object(
                node ->
                    node.field("node", refusal.getKey().hex())
                        .field("name", names.of(refusal.getKey()))
                        .field("code", refusal.getValue().code())
                        .field("message", refusal.getValue().message()));
          }
        });
  }

  /** Amounts per environment. */
  public Json resources(String name, Resources resources) throws IOException {
    return object(
        name,
        json -> {
          for (Environment environment : resources.perEnvironment().keySet()) {
            json.object(
                environment.name(),
                amounts -> {
                  amounts(amounts, resources.in(environment));
                });
          }
        });
  }

  /** Every amount; of devices also how much there is of all together. */
  private static void amounts(Json json, Amount amount) throws IOException {
    Map<ResourceType, Long> amounts = new TreeMap<>(amount.asMap());
    for (ResourceType all : List.of(ResourceType.GPU, ResourceType.GPU_MEMORY)) {
      long total = amount.total(all);
      if (total > 0) {
        amounts.put(all, total);
      }
    }
    for (var entry : amounts.entrySet()) {
      json.field(unitName(entry.getKey()), entry.getValue());
    }
  }

  private static String unitName(ResourceType type) {
    if (type.equals(ResourceType.CPU) || type.equals(ResourceType.GPU) || type.isGpuDevice()) {
      return type.name() + "Milli"; // such as gpu.0Milli
    }
    if (type.equals(ResourceType.GPU_MEMORY)) {
      return "gpuMemoryBytes";
    }
    boolean inBytes = type.equals(ResourceType.MEMORY) || type.isGpuDeviceMemory();
    return inBytes ? type.name() + "Bytes" : type.name();
  }
}
