package dev.weft.scheduler.jobfile;

import dev.weft.core.job.JobSource;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Turns the text of a job file into nodes that know their place. YAML 1.2 with bounds: the events
 * are counted before nodes are built from them, so that a small text cannot grow large.
 */
final class YamlText {
  /** Deepest nesting of lists and maps. */
  static final int MAXIMUM_DEPTH = 16;

  /** Most aliases. */
  static final int MAXIMUM_ALIASES = 16;

  private static final LoadSettings SETTINGS =
      LoadSettings.builder()
          .setUseMarks(true)
          .setAllowDuplicateKeys(true)
          .setAllowRecursiveKeys(false)
          .setMaxAliasesForCollections(MAXIMUM_ALIASES)
          .setCodePointLimit(JobSource.MAXIMUM_CHARACTERS)
          .build();

  private YamlText() {}

  /** The root; empty if there is none, and then there is a problem. */
  static Optional<Node> read(String text, Problems problems) {
    if (text.length() > JobSource.MAXIMUM_CHARACTERS) {
      problems.add(
          Optional.empty(),
          "",
          "has " + text.length() + " characters; at most " + JobSource.MAXIMUM_CHARACTERS);
      return Optional.empty();
    }
    if (hasForbidden(text, problems)) {
      return Optional.empty();
    }
    try {
      if (!isBounded(text, problems)) {
        return Optional.empty();
      }
      Optional<Node> root = new Compose(SETTINGS).composeString(text);
      if (root.isEmpty() || root.get().getTag().equals(Tag.NULL)) {
        problems.add(Optional.empty(), "", "the job file is empty; it needs at least a command");
        return Optional.empty();
      }
      return root;
    } catch (MarkedYamlEngineException e) {
      Optional<Mark> place = e.getProblemMark().or(e::getContextMark);
      problems.add(place, "", explain(text, place, e));
    } catch (YamlEngineException e) {
      problems.add(Optional.empty(), "", "not YAML: " + firstLine(e.getMessage()));
    }
    return Optional.empty();
  }

  private static boolean hasForbidden(String text, Problems problems) {
    int line = 1;
    int column = 1;
    for (int codePoint : text.codePoints().toArray()) {
      if (!StreamReader.isPrintable(codePoint)) {
        String message = String.format("the character U+%04X is not allowed in YAML", codePoint);
        problems.add(line, column, "", message);
        return true;
      }
      column = codePoint == '\n' ? 1 : column + 1;
      line += codePoint == '\n' ? 1 : 0;
    }
    return false;
  }

  private static boolean isBounded(String text, Problems problems) {
    int depth = 0;
    int aliases = 0;
    int documents = 0;
    for (Event event : new Parse(SETTINGS).parseString(text)) {
      String wrong = "";
      switch (event.getEventId()) {
        case SequenceStart, MappingStart -> {
          depth++;
          wrong = depth > MAXIMUM_DEPTH ? "nested deeper than " + MAXIMUM_DEPTH + " levels" : "";
        }
        case SequenceEnd, MappingEnd -> depth--;
        case Alias -> {
          aliases++;
          wrong = aliases > MAXIMUM_ALIASES ? "more than " + MAXIMUM_ALIASES + " aliases" : "";
        }
        case DocumentStart -> {
          documents++;
          wrong = documents > 1 ? "a second document starts; a job file has one" : "";
        }
        default -> {}
      }
      if (wrong.isEmpty()) {
        wrong = tag(event).map(tag -> "tags are not used in job files: " + tag).orElse("");
      }
      if (!wrong.isEmpty()) {
        problems.add(event.getStartMark(), "", wrong);
        return false;
      }
    }
    return true;
  }

  private static Optional<String> tag(Event event) {
    if (!(event instanceof NodeEvent)) {
      return Optional.empty();
    }
    if (event instanceof ScalarEvent scalar) {
      return scalar.getTag();
    }
    return event instanceof CollectionStartEvent start ? start.getTag() : Optional.empty();
  }

  private static String explain(String text, Optional<Mark> place, MarkedYamlEngineException e) {
    int at = place.map(Mark::getIndex).orElse(-1);
    boolean tab =
        at >= 0
            && at < text.codePointCount(0, text.length())
            && text.codePointAt(text.offsetByCodePoints(0, at)) == '\t';
    if (tab) {
      return "a tab cannot stand here; indent with spaces";
    }
    String found = e.getContext() == null ? "" : firstLine(e.getContext());
    String context = found.isEmpty() ? "" : found + ", ";
    return "not YAML: " + context + firstLine(e.getProblem());
  }

  private static String firstLine(String message) {
    return message.lines().findFirst().orElse("").strip();
  }
}
