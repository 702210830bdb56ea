package dev.weft.bus;

import dev.weft.api.Amount;
import dev.weft.api.AttemptId;
import dev.weft.api.Bytes;
import dev.weft.api.ContentId;
import dev.weft.api.Demand;
import dev.weft.api.Environment;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import dev.weft.api.TaskId;
import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.job.Command;
import dev.weft.api.job.Shard;
import dev.weft.api.policy.PlacementPolicy;
import dev.weft.api.policy.Refusal;
import dev.weft.core.message.Message;
import dev.weft.core.message.Outcome;
import dev.weft.core.resources.Authority;
import dev.weft.core.resources.Placement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** Messages of every kind, the emptiest and the fullest among them. */
final class SampleMessages {
  private static final JobId JOB = new JobId("00112233445566778899aabbccddeeff");
  private static final AttemptId ATTEMPT = new AttemptId(new TaskId(JOB, 3), 2);
  private static final AttemptId LAST =
      new AttemptId(new TaskId(new JobId("f".repeat(32)), 999_999), Integer.MAX_VALUE);
  private static final ContentId CONTENT = new ContentId("ab".repeat(32), Long.MAX_VALUE);
  private static final Fault FAULT =
      new Fault("input.vanished", Fault.Category.EXTERNAL, "Ünïcödé \u0000 \ud83d\ude80", true);
  private static final Resources RESOURCES =
      new Resources(
          new TreeMap<>(
              Map.of(
                  Environment.REE,
                  Amount.of(1_500, Long.MAX_VALUE, 0),
                  new Environment("sgx"),
                  Amount.of(Map.of(new ResourceType("epc.pages"), 1L)))));

  private static final Authority AUTHORITY = new Authority("managers", Long.MAX_VALUE);
  private static final NodeId NODE = new NodeId("5a".repeat(32));

  private static final Placement.Decision DECISION =
      new Placement.Decision(
          "rank 1.0.0",
          "highest rank",
          Map.of(NODE, new Refusal("resources.lacking", "needs 1 cpu")),
          List.of(
              new Resources.Lack(
                  Environment.REE, ResourceType.CPU, Long.MAX_VALUE, Long.MAX_VALUE - 1)));

  /** The one with golden bytes. */
  static final Message STATUS =
      new Message.Status(
          List.of(
              status(Message.Phase.RUNNING, Optional.empty()),
              ended(new Outcome.Succeeded(new Outcome.Result.Inline(Bytes.of("hi"))))));

  private static final Message FULL_ASSIGN = assign(fullCommand(), 64, 32);

  /** A node that runs as many attempts as it may, and has as many to tell the end of. */
  private static final Message FULL_REPORT =
      new Message.Report(
          1,
          1,
          1,
          RESOURCES,
          RESOURCES,
          1,
          Collections.nCopies(512, LAST),
          Collections.nCopies(512, LAST),
          false,
          Optional.of(new Message.Description(new TreeMap<>(Map.of("zone", "a")), inventory())));

  private static final Message FULL_STATUS =
      new Message.Status(
          Collections.nCopies(
              5,
              ended(
                  new Outcome.Failed(
                      new Fault("x".repeat(30), Fault.Category.USER, "m".repeat(2_000), false),
                      OptionalInt.of(255),
                      "e".repeat(4_096)))));

  static final List<Message> ALL =
      List.of(
          new Message.Report(
              1,
              1,
              0,
              Resources.NONE,
              Resources.NONE,
              0,
              List.of(),
              List.of(),
              false,
              Optional.empty()),
          new Message.Report(
              Long.MAX_VALUE,
              Long.MAX_VALUE,
              Long.MAX_VALUE,
              RESOURCES,
              RESOURCES,
              Long.MIN_VALUE,
              List.of(ATTEMPT, LAST),
              List.of(LAST),
              true,
              Optional.of(
                  new Message.Description(
                      new TreeMap<>(Map.of("zone", "a", "", "")), inventory()))),
          FULL_REPORT,
          new Message.Reported(AUTHORITY, List.of(), Message.Correction.NONE, 0, false),
          new Message.Reported(
              AUTHORITY, List.of(ATTEMPT), Message.Correction.TAKE, Long.MAX_VALUE, true),
          new Message.Cancelled(List.of()),
          new Message.Cancelled(List.of(ATTEMPT, LAST)),
          new Message.Place(
              List.of(
                  new PlacementPolicy.Request(ATTEMPT, Demand.of(RESOURCES)),
                  new PlacementPolicy.Request(
                      LAST,
                      new Demand(
                          RESOURCES,
                          new TreeMap<>(Map.of("zone", "a")),
                          Optional.of(new Demand.Work(ResourceType.CPU, 5, Duration.ofSeconds(1)))),
                      OptionalLong.of(7),
                      Optional.of(NODE),
                      Set.of(NODE)))),
          new Message.Placements(
              List.of(
                  new Placement.Placed(
                      ATTEMPT, DECISION, NODE, 3, AUTHORITY, RESOURCES, RESOURCES, 4),
                  new Placement.NotPlaced(LAST, DECISION))),
          new Message.Over(NODE, 3, List.of(ATTEMPT)),
          new Message.Withdraw(List.of(LAST)),
          new Message.Suspect(NODE),
          new Message.Leading(Optional.empty(), AUTHORITY),
          new Message.Leading(Optional.of(NODE), AUTHORITY),
          assign(new Command(List.of("true"), new TreeMap<>(), Optional.empty()), 0, 1),
          FULL_ASSIGN,
          new Message.Assigned(List.of()),
          new Message.Assigned(List.of(new Message.Refused(ATTEMPT, FAULT))),
          new Message.Cancel(List.of()),
          new Message.Cancel(List.of(ATTEMPT, LAST)),
          STATUS,
          FULL_STATUS,
          new Message.Status(
              List.of(
                  status(Message.Phase.STAGING, Optional.empty()),
                  status(Message.Phase.DELIVERING, Optional.empty()),
                  ended(new Outcome.Succeeded(new Outcome.Result.Stored(CONTENT))),
                  ended(new Outcome.Failed(FAULT, OptionalInt.empty(), "")),
                  ended(new Outcome.Stopped("asked to")))),
          new Message.StatusReceived(List.of()),
          new Message.StatusReceived(List.of(ATTEMPT)),
          new Message.ReadLog(ATTEMPT, Message.Stream.OUTPUT, 0),
          new Message.ReadLog(LAST, Message.Stream.ERRORS, Long.MAX_VALUE),
          new Message.LogChunk(0, Bytes.EMPTY, true),
          new Message.LogChunk(
              Long.MAX_VALUE, Bytes.of(new byte[Message.LogChunk.MAXIMUM_BYTES]), false),
          new Message.Done(),
          new Message.Failed(FAULT),
          new Message.Failed(
              new Fault("", Fault.Category.RESOURCES, "\uffff".repeat(2_000), false)));

  static final List<Message> LONGEST = List.of(FULL_ASSIGN, FULL_STATUS, FULL_REPORT);

  private SampleMessages() {}

  private static Message.AttemptStatus status(Message.Phase phase, Optional<Outcome> outcome) {
    return new Message.AttemptStatus(ATTEMPT, phase, Duration.ofMillis(1_234), outcome);
  }

  private static Message.AttemptStatus ended(Outcome outcome) {
    return status(Message.Phase.ENDED, Optional.of(outcome));
  }

  private static Inventory inventory() {
    return new Inventory(
        List.of(
            new Device.Cpu("aarch64", "Cortex-A76", 4, -1.0),
            new Device.Cpu("x86_64", "", 1, Double.MAX_VALUE),
            new Device.Memory(8L << 30, 1, OptionalLong.empty()),
            new Device.Memory(0, 0, OptionalLong.of(Long.MAX_VALUE)),
            new Device.Disk(Long.MAX_VALUE, 0),
            new Device.OperatingSystem("Debian GNU/Linux", "12", "6.1.0"),
            new Device.Gpu("GPU-1", "NVIDIA", "H200", 141L << 30, "550.54")),
        List.of("no nvidia-smi", ""));
  }

  private static Command fullCommand() {
    List<String> arguments = new ArrayList<>(Collections.nCopies(255, "a".repeat(20)));
    arguments.add("b".repeat(9_000));
    return new Command(
        arguments, new TreeMap<>(Map.of("PATH", "/bin", "EMPTY", "")), Optional.of("/tmp/ü"));
  }

  private static Message assign(Command command, int files, int assignments) {
    List<Message.StagedFile> staged =
        Collections.nCopies(files, new Message.StagedFile("model.bin", CONTENT, true));
    List<Shard> shards =
        List.of(
            new Shard.Content(CONTENT, "part"),
            new Shard.Numbers(Long.MIN_VALUE, Long.MAX_VALUE, 1),
            new Shard.Index());
    List<Message.Assignment> all = new ArrayList<>();
    for (int i = 0; i < assignments; i++) {
      all.add(new Message.Assignment(LAST, shards.get(i % shards.size()), RESOURCES, RESOURCES, i));
    }
    return new Message.Assign(
        9,
        AUTHORITY,
        new Message.JobPart(JOB, command, staged, Duration.ofDays(365), 1_000_000, 65_535),
        new Message.StatusRules(Duration.ofMillis(1), Integer.MAX_VALUE, Duration.ZERO),
        all);
  }
}
