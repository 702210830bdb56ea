package dev.weft.config;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads what bundles declare in {@code OSGI-INF/metatype/*.xml} (OSGi Compendium, Metatype Service
 * Specification), as far as bnd writes it.
 */
final class MetatypeReader {
  static final String FOLDER = "OSGI-INF/metatype";

  private final Map<String, SortedMap<String, Schema.Key>> definitions = new HashMap<>();
  private final Map<String, String> designated = new HashMap<>();
  private SortedMap<String, Schema.Key> definition = new TreeMap<>();
  private String key = "";
  private String pid = "";

  private MetatypeReader() {}

  static List<Schema> read(InputStream xml) throws IOException {
    XMLInputFactory factory = XMLInputFactory.newInstance();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    MetatypeReader reader = new MetatypeReader();
    try {
      XMLStreamReader events = factory.createXMLStreamReader(xml);
      while (events.hasNext()) {
        if (events.next() == XMLStreamReader.START_ELEMENT) {
          reader.element(events);
        }
      }
    } catch (XMLStreamException e) {
      throw new IOException("not a metatype file: " + e.getMessage(), e);
    }
    return reader.schemas();
  }

  private void element(XMLStreamReader events) {
    switch (events.getLocalName()) {
      case "OCD" -> {
        definition = new TreeMap<>();
        definitions.put(attribute(events, "id").orElse(""), definition);
      }
      case "AD" -> {
        key = attribute(events, "id").orElse("");
        definition.put(
            key,
            new Schema.Key(
                attribute(events, "type").orElse("String"),
                attribute(events, "min"),
                attribute(events, "max"),
                List.of()));
      }
      case "Option" -> attribute(events, "value").ifPresent(this::option);
      case "Designate" -> pid = attribute(events, "pid").orElse("");
      case "Object" -> designated.put(pid, attribute(events, "ocdref").orElse(""));
      default -> {}
    }
  }

  private void option(String value) {
    Schema.Key before = definition.get(key);
    List<String> options = new ArrayList<>(before.options());
    options.add(value);
    definition.put(key, new Schema.Key(before.type(), before.minimum(), before.maximum(), options));
  }

  private static Optional<String> attribute(XMLStreamReader events, String name) {
    return Optional.ofNullable(events.getAttributeValue(null, name));
  }

  private List<Schema> schemas() {
    List<Schema> schemas = new ArrayList<>();
    designated.forEach(
        (name, reference) ->
            schemas.add(new Schema(name, definitions.getOrDefault(reference, new TreeMap<>()))));
    return schemas;
  }
}
