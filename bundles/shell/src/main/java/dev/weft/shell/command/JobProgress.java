package dev.weft.shell.command;

import dev.weft.core.job.JobView;
import dev.weft.shell.render.Text;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What following a job comes to: plain state, time is an argument. */
final class JobProgress {
  /** Reasons to wait that mean that no node takes a task; the others pass by themselves. */
  private static final Set<JobView.WaitReason> REFUSED =
      EnumSet.of(
          JobView.WaitReason.RESOURCES,
          JobView.WaitReason.NO_NODES,
          JobView.WaitReason.POLICY,
          JobView.WaitReason.MANAGER);

  private final Duration placementWait;
  private Optional<Instant> refusedSince = Optional.empty();

  /** Progress of a job whose tasks may be refused for so long before it counts as not placed. */
  JobProgress(Duration placementWait) {
    this.placementWait = placementWait;
  }

  /** What is to be done after the job was seen. */
  enum Step {
    /** Go on watching. */
    GOING,
    /** Nothing of it runs or is done, and no node has taken a task of it for too long. */
    NOT_PLACED,
    /** It has ended. */
    ENDED
  }

  /** The job was seen. */
  Step seen(JobView job, Instant now) {
    if (job.state().isFinal()) {
      return Step.ENDED;
    }
    JobView.Counts counts = job.counts();
    boolean refused =
        job.waiting().map(JobView.Waiting::code).filter(REFUSED::contains).isPresent()
            && counts.running() == 0
            && counts.done() == 0
            && counts.failed() == 0
            && job.state() != JobView.State.COMPLETING;
    if (!refused) {
      refusedSince = Optional.empty();
      return Step.GOING;
    }
    Instant since = refusedSince.orElse(now);
    refusedSince = Optional.of(since);
    return now.isBefore(since.plus(placementWait)) ? Step.GOING : Step.NOT_PLACED;
  }

  /** One line about the job: state, tasks, nodes, rate and time left. */
  static String line(JobView job, Instant now) {
    JobView.Counts counts = job.counts();
    String state = job.state().name().toLowerCase(Locale.ROOT);
    if (counts.total() == 0) {
      String why = job.waiting().map(JobView.Waiting::reason).orElse("the input is being split");
      return job.id().shortForm() + " " + state + ": " + Text.clean(why);
    }
    String nodes =
        job.nodes().stream()
            .map(
                share ->
                    " %s %d+%d".formatted(Text.clean(share.name()), share.done(), share.running()))
            .collect(Collectors.joining(","));
    return "%s %s: %d/%d done, %d running, %d waiting, %d failed%s%s"
        .formatted(
            job.id().shortForm(),
            state,
            counts.done(),
            counts.total(),
            counts.running(),
            counts.waiting(),
            counts.failed(),
            pace(job, now),
            nodes.isEmpty() ? "" : " |" + nodes);
  }

  private static String pace(JobView job, Instant now) {
    JobView.Counts counts = job.counts();
    if (job.started().isEmpty() || counts.done() == 0) {
      return "";
    }
    double seconds = Duration.between(job.started().get(), now).toMillis() / 1000.0;
    if (seconds <= 0) {
      return "";
    }
    double rate = counts.done() / seconds;
    int left = counts.total() - counts.done() - counts.failed();
    String rest =
        left <= 0 ? "" : ", " + Text.duration(Duration.ofSeconds((long) (left / rate))) + " left";
    return String.format(Locale.ROOT, ", %.1f/s%s", rate, rest);
  }
}
