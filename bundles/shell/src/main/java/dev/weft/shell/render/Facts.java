package dev.weft.shell.render;

import java.util.LinkedHashMap;
import java.util.Map;

/** Names and values, one a line, the values under each other. */
public final class Facts {
  private final Map<String, String> facts = new LinkedHashMap<>();

  /** Adds a line; control characters become question marks; an empty value is left out. */
  public Facts add(String name, String value) {
    if (!value.isEmpty()) {
      facts.put(name, Text.clean(value));
    }
    return this;
  }

  /** The text, each line ended. */
  public String render() {
    int width = facts.keySet().stream().mapToInt(String::length).max().orElse(0);
    StringBuilder text = new StringBuilder();
    facts.forEach(
        (name, value) ->
            text.append(name)
                .append(" ".repeat(width - name.length() + 2))
                .append(value)
                .append('\n'));
    return text.toString();
  }
}
