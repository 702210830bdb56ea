package dev.weft.shell.render;

import dev.weft.core.job.DrainStatus;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Optional;

/** The drain of a node as text and in JSON. */
public final class DrainReport {
  private DrainReport() {}

  /** How far it is, in one line. */
  public static String line(DrainStatus drain, Instant now, ZoneId zone) {
    String done =
        "%s over, %d of them withdrawn".formatted(tries(drain.ended()), drain.withdrawn());
    if (drain.isDone()) {
      return "empty; " + done;
    }
    String deadline =
        drain.deadline().isAfter(now)
            ? "what is left at %s (in %s) is withdrawn"
                .formatted(
                    Text.moment(drain.deadline(), zone),
                    Text.duration(Duration.between(now, drain.deadline())))
            : "what is left is being withdrawn";
    return "%s left, %s; %s".formatted(tries(drain.left().size()), done, deadline);
  }

  private static String tries(int number) {
    return number + (number == 1 ? " try" : " tries");
  }

  /** One try that is left. */
  public static String left(DrainStatus.Left left) {
    return "%s (%s): %s"
        .formatted(
            left.attempt(), Text.clean(left.job()), left.state().name().toLowerCase(Locale.ROOT));
  }

  /** One line per try that is left. */
  public static String left(DrainStatus drain, boolean ansi) {
    Table table = Table.of("LEFT", "JOB", "STATE");
    for (DrainStatus.Left left : drain.left()) {
      table.row(left.attempt().toString(), left.job(), left.state().name());
    }
    return table.isEmpty() ? "" : table.render(ansi);
  }

  /** A drain as the field {@code drain}. */
  public static void json(Json json, Optional<DrainStatus> drain) throws IOException {
    if (drain.isEmpty()) {
      json.none("drain");
      return;
    }
    json.object("drain", fields -> fields(fields, drain.get()));
  }

  private static void fields(Json json, DrainStatus drain) throws IOException {
    json.time("since", drain.since())
        .time("deadline", drain.deadline())
        .field("done", drain.isDone())
        .field("ended", drain.ended())
        .field("withdrawn", drain.withdrawn())
        .array(
            "left",
            array -> {
              for (DrainStatus.Left left : drain.left()) {
                array.object(
                    fields ->
                        fields
                            .field("job", left.attempt().task().job().hex())
                            .field("jobName", left.job())
                            .field("task", left.attempt().task().index())
                            .field("number", left.attempt().number())
                            .field("state", left.state().name()));
              }
            });
  }
}
