package dev.weft.shell.render;

import dev.weft.core.bus.BusStatus;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/** What discoveries do, as text and in JSON. */
public final class BusReport {
  private BusReport() {}

  /**
   * Counts per discovery and interface, their latest lines, and the nodes seen.
   *
   * @param lines most lines per interface
   */
  public static String discovery(
      BusStatus status, int lines, Instant now, ZoneId zone, boolean ansi) {
    if (status.discoveries().isEmpty() && status.sightings().isEmpty()) {
      return "No discovery is running: look with weft shell -c 'lb -s'\n";
    }
    Table counts = Table.of("DISCOVERY", "INTERFACE", ">SENT", ">RECEIVED", ">DROPPED", ">FAILED");
    StringBuilder recent = new StringBuilder();
    for (BusStatus.DiscoveryStatus discovery : status.discoveries()) {
      counts.row(
          discovery.discovery(),
          discovery.networkInterface(),
          Long.toString(discovery.sent()),
          Long.toString(discovery.received()),
          Long.toString(discovery.dropped()),
          Long.toString(discovery.failed()));
      if (lines > 0 && !discovery.recent().isEmpty()) {
        String where = discovery.discovery() + " on " + discovery.networkInterface();
        recent.append('\n').append(Text.clean(where)).append(", latest first:\n");
        for (BusStatus.Line line : discovery.recent().stream().limit(lines).toList()) {
          recent.append(
              "  %s  %-8s  %s\n"
                  .formatted(Text.moment(line.at(), zone), line.kind(), Text.clean(line.detail())));
        }
      }
    }
    Table sightings = Table.of("SEEN", "VIA", "ADDRESS", ">AGE", "STATE");
    for (BusStatus.SightingStatus sighting : status.sightings()) {
      sightings.row(
          sighting.shortId(),
          sighting.via(),
          sighting.address(),
          Text.duration(Duration.between(sighting.at(), now)),
          sighting.state());
    }
    return counts.render(ansi)
        + recent
        + "\n"
        + (sightings.isEmpty() ? "No node has been seen.\n" : sightings.render(ansi));
  }

  /** The same in JSON, with every line: the fields of one object. */
  public static void json(Json json, BusStatus status) throws IOException {
    json.array(
        "discoveries",
        array -> {
          for (BusStatus.DiscoveryStatus discovery : status.discoveries()) {
            array.object(fields -> discovery(fields, discovery));
          }
        });
    json.array(
        "sightings",
        array -> {
          for (BusStatus.SightingStatus sighting : status.sightings()) {
            array.object(
                fields ->
                    fields
                        .field("shortId", sighting.shortId())
                        .field("via", sighting.via())
                        .field("address", sighting.address())
                        .field("state", sighting.state())
                        .time("at", sighting.at()));
          }
        });
  }

  private static void discovery(Json json, BusStatus.DiscoveryStatus discovery) throws IOException {
    json.field("discovery", discovery.discovery())
        .field("interface", discovery.networkInterface())
        .field("sent", discovery.sent())
        .field("received", discovery.received())
        .field("dropped", discovery.dropped())
        .field("failed", discovery.failed())
        .array(
            "recent",
            lines -> {
              for (BusStatus.Line line : discovery.recent()) {
                lines.object(
                    fields ->
                        fields
                            .time("at", line.at())
                            .field("kind", line.kind().name())
                            .field("detail", line.detail()));
              }
            });
  }
}
