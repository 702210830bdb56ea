package dev.weft.shell.command;

import dev.weft.api.JobId;
import dev.weft.core.job.JobService;
import dev.weft.core.job.JobView;
import dev.weft.core.resources.NodeStatus;
import dev.weft.core.resources.ResourceManager;
import dev.weft.shell.render.Text;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Finds what a short id stands for. */
final class Prefixes {
  private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{1,64}");
  private static final int MOST_SHOWN = 10;

  private Prefixes() {}

  /** The one job whose id starts so. */
  static JobView job(JobService jobs, String prefix) throws CommandException {
    String digits = prefix.toLowerCase(Locale.ROOT);
    List<JobId> found =
        DIGITS.matcher(digits).matches() && digits.length() <= JobId.LENGTH
            ? jobs.find(digits)
            : List.of();
    if (found.size() > 1) {
      throw new CommandException(
          "more than one job has an id that starts with "
              + digits
              + "; give more digits:"
              + found.stream()
                  .limit(MOST_SHOWN)
                  .map(id -> "\n  " + id.hex() + describe(jobs.job(id)))
                  .collect(Collectors.joining())
              + rest(found.size()));
    }
    Optional<JobView> job = found.isEmpty() ? Optional.empty() : jobs.job(found.get(0));
    return job.orElseThrow(
        () ->
            new CommandException(
                "no job has an id that starts with '"
                    + Text.clean(prefix)
                    + "': 'weft job list --all' shows them"));
  }

  private static String describe(Optional<JobView> job) {
    return job.map(view -> "  " + view.state() + "  " + Text.clean(view.name())).orElse("");
  }

  /** The one node whose id starts so, or that has this name. */
  static NodeStatus node(ResourceManager resources, String prefix) throws CommandException {
    List<NodeStatus> all = resources.nodes();
    String digits = prefix.toLowerCase(Locale.ROOT);
    List<NodeStatus> found =
        all.stream()
            .filter(node -> !digits.isEmpty())
            .filter(node -> node.id().hex().startsWith(digits) || node.name().equals(prefix))
            .toList();
    if (found.size() > 1) {
      throw new CommandException(
          "more than one node has an id or a name like "
              + Text.clean(prefix)
              + "; give more digits of the id:"
              + found.stream()
                  .limit(MOST_SHOWN)
                  .map(node -> "\n  " + node.id().hex() + "  " + Text.clean(node.name()))
                  .collect(Collectors.joining())
              + rest(found.size()));
    }
    if (found.isEmpty()) {
      throw new CommandException(
          "no node has an id that starts with '"
              + Text.clean(prefix)
              + "', nor this name: 'weft node list' shows them");
    }
    return found.get(0);
  }

  private static String rest(int found) {
    return found > MOST_SHOWN ? "\n  and " + (found - MOST_SHOWN) + " more" : "";
  }
}
