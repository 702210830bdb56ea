package dev.weft.shell.fake;

import dev.weft.api.Amount;
import dev.weft.api.AttemptId;
import dev.weft.api.Environment;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import dev.weft.api.TaskId;
import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.policy.Refusal;
import dev.weft.core.job.BufferStatus;
import dev.weft.core.job.DrainStatus;
import dev.weft.core.job.JobView;
import dev.weft.core.job.TaskView;
import dev.weft.core.resources.NodeStatus;
import dev.weft.core.resources.Placement;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Jobs, tasks and nodes for tests. */
public final class Samples {
  /** The time in tests. */
  public static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  public static final NodeId ALPHA = new NodeId("a1".repeat(32));
  public static final NodeId BETA = new NodeId("b2".repeat(32));
  public static final Refusal LACKING =
      new Refusal("resources.lacking", "needs 8 cpu, has 2 cpu free");

  private Samples() {}

  public static JobId id(String first) {
    return new JobId(first + "0".repeat(32 - first.length()));
  }

  /** A job that waits. */
  public static JobView pending(JobId id) {
    return view(
        id,
        JobView.State.PENDING,
        new JobView.Counts(4, 4, 0, 0, 0),
        Optional.empty(),
        Optional.of(
            new JobView.Waiting(
                0,
                JobView.WaitReason.RESOURCES,
                "no node fits",
                Map.of(ALPHA, LACKING, BETA, LACKING))));
  }

  /** A job that waits for another one. */
  public static JobView needing(JobId id, JobId needed) {
    return withNeeds(
        view(
            id,
            JobView.State.PENDING,
            new JobView.Counts(0, 0, 0, 0, 0),
            Optional.empty(),
            Optional.of(
                new JobView.Waiting(
                    -1,
                    JobView.WaitReason.DEPENDENCY,
                    "needs job " + needed + ", not completed yet",
                    Map.of()))),
        List.of(needed));
  }

  /** A job that took too long. */
  public static JobView timedOut(JobId id) {
    return view(
        id,
        JobView.State.TIMEOUT,
        new JobView.Counts(10, 0, 0, 9, 0),
        Optional.of(
            new Fault("task.timeout", Fault.Category.USER, "task 3 ran longer than 1 h", false)),
        Optional.empty());
  }

  /** A job that runs on two nodes. */
  public static JobView running(JobId id) {
    return view(
        id,
        JobView.State.RUNNING,
        new JobView.Counts(10, 3, 2, 5, 0),
        Optional.empty(),
        Optional.empty());
  }

  /** A job that is done. */
  public static JobView completed(JobId id, Optional<Path> output) {
    JobView view =
        view(
            id,
            JobView.State.COMPLETED,
            new JobView.Counts(10, 0, 0, 10, 0),
            Optional.empty(),
            Optional.empty());
    return withOutput(view, output);
  }

  /** A job that failed. */
  public static JobView failed(JobId id) {
    return view(
        id,
        JobView.State.FAILED,
        new JobView.Counts(10, 0, 0, 9, 1),
        Optional.of(
            new Fault("task.failed", Fault.Category.USER, "task 3 failed too often", false)),
        Optional.empty());
  }

  /** A job that was cancelled. */
  public static JobView cancelled(JobId id) {
    return view(
        id,
        JobView.State.CANCELLED,
        new JobView.Counts(10, 0, 0, 5, 0),
        Optional.empty(),
        Optional.empty());
  }

  private static JobView view(
      JobId id,
      JobView.State state,
      JobView.Counts counts,
      Optional<Fault> fault,
      Optional<JobView.Waiting> waiting) {
    boolean begun = counts.running() + counts.done() > 0;
    return new JobView(
        id,
        "count words",
        "ada",
        List.of(),
        state == JobView.State.CANCELLED ? JobView.Desired.STOP : JobView.Desired.RUN,
        state,
        counts,
        50,
        "even 1.0.0",
        NOW.minusSeconds(65),
        begun ? Optional.of(NOW.minusSeconds(10)) : Optional.empty(),
        state.isFinal() ? Optional.of(NOW) : Optional.empty(),
        fault,
        Optional.empty(),
        begun
            ? List.of(
                new JobView.NodeShare(ALPHA, "alpha", 1, 3, 0),
                new JobView.NodeShare(BETA, "beta", 1, 2, 1))
            : List.of(),
        waiting);
  }

  private static JobView withNeeds(JobView view, List<JobId> needs) {
    return new JobView(
        view.id(),
        view.name(),
        view.submitter(),
        needs,
        view.desired(),
        view.state(),
        view.counts(),
        view.priority(),
        view.splitPolicy(),
        view.submitted(),
        view.started(),
        view.ended(),
        view.fault(),
        view.output(),
        view.nodes(),
        view.waiting());
  }

  private static JobView withOutput(JobView view, Optional<Path> output) {
    return new JobView(
        view.id(),
        view.name(),
        view.submitter(),
        view.needs(),
        view.desired(),
        view.state(),
        view.counts(),
        view.priority(),
        view.splitPolicy(),
        view.submitted(),
        view.started(),
        view.ended(),
        view.fault(),
        output,
        view.nodes(),
        view.waiting());
  }

  /** A task that is done, one that failed at its second try, one that waits. */
  public static List<TaskView> tasks(JobId job) {
    Placement.Decision chosen =
        new Placement.Decision("rank 1.0.0", "first by rank that fits", Map.of());
    Placement.Decision second =
        new Placement.Decision("rank 1.0.0", "next by rank", Map.of(ALPHA, LACKING));
    TaskView done =
        new TaskView(
            new TaskId(job, 0),
            false,
            "lines 1 to 100",
            JobView.Desired.RUN,
            TaskView.State.DONE,
            Optional.empty(),
            List.of(
                new TaskView.AttemptView(
                    1,
                    ALPHA,
                    "alpha",
                    chosen,
                    JobView.Desired.RUN,
                    TaskView.AttemptState.SUCCEEDED,
                    NOW.minusSeconds(10),
                    Optional.of(NOW.minusSeconds(8)),
                    Optional.empty(),
                    OptionalInt.of(0),
                    "")));
    TaskView failed =
        new TaskView(
            new TaskId(job, 3),
            false,
            "lines 301 to 400",
            JobView.Desired.RUN,
            TaskView.State.FAILED,
            Optional.empty(),
            List.of(
                new TaskView.AttemptView(
                    2,
                    BETA,
                    "beta",
                    second,
                    JobView.Desired.RUN,
                    TaskView.AttemptState.FAILED,
                    NOW.minusSeconds(6),
                    Optional.of(NOW.minusSeconds(1)),
                    Optional.of(
                        new Fault(
                            "command.failed",
                            Fault.Category.USER,
                            "the command ended with exit code 3",
                            true)),
                    OptionalInt.of(3),
                    "cut: bad field\nawk: cannot open \u001b[31mx\n")));
    TaskView waiting =
        new TaskView(
            new TaskId(job, 4),
            true,
            "all results",
            JobView.Desired.RUN,
            TaskView.State.WAITING,
            Optional.of(
                new Placement.Decision(
                    "rank 1.0.0",
                    "no node fits",
                    Map.of(ALPHA, LACKING, BETA, LACKING),
                    List.of(
                        new Resources.Lack(Environment.REE, ResourceType.CPU, 8_000, 2_500),
                        new Resources.Lack(
                            new Environment("sgx"), ResourceType.MEMORY, 1L << 26, 0)))),
            List.of());
    return List.of(done, failed, waiting);
  }

  private static Resources offer(long cpuMilli, long memory) {
    return Resources.ree(
        Amount.of(
            Map.of(
                ResourceType.CPU,
                cpuMilli,
                ResourceType.MEMORY,
                memory,
                ResourceType.gpu(0),
                1000L,
                ResourceType.gpuMemory(0),
                16L << 30,
                ResourceType.gpu(1),
                1000L,
                ResourceType.gpuMemory(1),
                8L << 30)));
  }

  /** Two nodes, the first in a state. */
  public static List<NodeStatus> nodes(NodeStatus.State first) {
    long gibibyte = 1L << 30;
    Inventory inventory =
        new Inventory(
            List.of(
                new Device.Cpu("aarch64", "Cortex-A76", 4, 0.25),
                new Device.Memory(8 * gibibyte, 5 * gibibyte, OptionalLong.of(4 * gibibyte)),
                new Device.Disk(64 * gibibyte, 32 * gibibyte),
                new Device.OperatingSystem("Debian GNU/Linux", "12", "6.1.0"),
                new Device.Gpu("GPU-1", "NVIDIA", "A2", 16 * gibibyte, "550.1")),
            List.of("no AMD driver"));
    NodeStatus alpha =
        new NodeStatus(
            ALPHA,
            "alpha",
            first,
            "reports in time",
            offer(4000, 4 * gibibyte),
            Resources.ree(Amount.of(1500, gibibyte, 0)),
            offer(2500, 3 * gibibyte),
            17,
            2,
            new TreeMap<>(Map.of("room", "lab", "tier", "edge")),
            inventory,
            3,
            NOW.minusSeconds(4));
    NodeStatus beta =
        new NodeStatus(
            BETA,
            "beta",
            NodeStatus.State.DOWN,
            "said goodbye",
            Resources.ree(Amount.of(2000, gibibyte / 2, 0)),
            Resources.NONE,
            Resources.ree(Amount.of(2000, gibibyte / 2, 0)),
            1,
            1,
            new TreeMap<>(),
            Inventory.EMPTY,
            0,
            NOW.minusSeconds(300));
    return List.of(alpha, beta);
  }

  /** A buffer pool that has grown once. */
  public static BufferStatus buffer() {
    return new BufferStatus(
        64,
        40,
        48,
        12,
        16,
        24,
        8,
        Duration.ofSeconds(10),
        NOW.plusSeconds(4),
        1_234,
        new TreeMap<>(Map.of("ada", 30, "bob", 10)),
        List.of(new BufferStatus.Change(NOW.minusSeconds(6), 43, 64, "N = 25 > U = 16.1: m grows")),
        new TreeMap<>(Map.of("buffer.window.ms", "10000")));
  }

  /** The drain of a node with two attempts. */
  public static DrainStatus drain(Duration deadline) {
    return new DrainStatus(ALPHA, NOW, NOW.plus(deadline), List.of(left(0), left(3)), 0, 0);
  }

  /** The same when one attempt more has ended. */
  public static DrainStatus further(DrainStatus drain) {
    return drain.isDone()
        ? drain
        : new DrainStatus(
            drain.node(),
            drain.since(),
            drain.deadline(),
            drain.left().subList(1, drain.left().size()),
            drain.ended() + 1,
            drain.withdrawn());
  }

  private static DrainStatus.Left left(int task) {
    return new DrainStatus.Left(
        new AttemptId(new TaskId(id("1a2b"), task), 1),
        "count words",
        TaskView.AttemptState.RUNNING);
  }
}
