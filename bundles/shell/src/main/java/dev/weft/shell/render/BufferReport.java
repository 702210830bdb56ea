package dev.weft.shell.render;

import dev.weft.core.job.BufferStatus;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;

/** The buffer pool as text and in JSON. */
public final class BufferReport {
  private BufferReport() {}

  /** How large it is, what fills it, and why it is as large. */
  public static String text(BufferStatus buffer, Instant now, ZoneId zone, boolean ansi) {
    StringBuilder text = new StringBuilder();
    text.append(
        new Facts()
            .add("Slots (m)", Integer.toString(buffer.slots()))
            .add("Occupied (p)", Integer.toString(buffer.occupied()))
            .add("Filled below", buffer.threshold() + " (threshold)")
            .add("Traversals (N)", buffer.traversals() + " in this window")
            .add("Baseline (B)", decimal(buffer.baseline()))
            .add("Grows above (U)", decimal(buffer.upper()))
            .add("Shrinks below (L)", decimal(buffer.lower()))
            .add("Window", window(buffer, now))
            .add("Queued", Text.count(buffer.queued(), "task"))
            .render());
    Table shares = Table.of("SUBMITTER", ">SLOTS");
    buffer.shares().forEach((submitter, slots) -> shares.row(submitter, Integer.toString(slots)));
    Table changes = Table.of("CHANGED", ">FROM", ">TO", "WHY");
    for (BufferStatus.Change change : buffer.changes()) {
      changes.row(
          Text.moment(change.at(), zone),
          Integer.toString(change.from()),
          Integer.toString(change.to()),
          change.reason());
    }
    Table parameters = Table.of("PARAMETER", "VALUE");
    buffer.parameters().forEach(parameters::row);
    for (Table table : new Table[] {shares, changes, parameters}) {
      text.append(table.isEmpty() ? "" : "\n" + table.render(ansi));
    }
    return text.toString();
  }

  private static String window(BufferStatus buffer, Instant now) {
    return "%s, ends in %s"
        .formatted(
            Text.duration(buffer.window()),
            Text.duration(Duration.between(now, buffer.windowEnds())));
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  /** The same in JSON: the fields of one object. */
  public static void json(Json json, BufferStatus buffer) throws IOException {
    json.field("slots", buffer.slots())
        .field("occupied", buffer.occupied())
        .field("threshold", buffer.threshold())
        .field("traversals", buffer.traversals())
        .decimal("baseline", buffer.baseline())
        .decimal("upper", buffer.upper())
        .decimal("lower", buffer.lower())
        .field("windowMillis", buffer.window().toMillis())
        .time("windowEnds", buffer.windowEnds())
        .field("queued", buffer.queued())
        .object(
            "shares",
            shares -> {
              for (var share : buffer.shares().entrySet()) {
                shares.field(share.getKey(), share.getValue());
              }
            })
        .array(
            "changes",
            changes -> {
              for (BufferStatus.Change change : buffer.changes()) {
                changes.object(fields -> change(fields, change));
              }
            })
        .object(
            "parameters",
            parameters -> {
              for (var parameter : buffer.parameters().entrySet()) {
                parameters.field(parameter.getKey(), parameter.getValue());
              }
            });
  }

  private static void change(Json json, BufferStatus.Change change) throws IOException {
    json.time("at", change.at())
        .field("from", change.from())
        .field("to", change.to())
        .field("reason", change.reason());
  }
}
