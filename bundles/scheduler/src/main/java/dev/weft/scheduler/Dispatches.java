package dev.weft.scheduler;

import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.job.Command;
import dev.weft.api.job.Shard;
import dev.weft.core.message.Message;
import dev.weft.core.message.Message.Assignment;
import dev.weft.core.resources.Authority;
import dev.weft.core.resources.Placement;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Groups the placements of one answer into messages: one node, one boot, one job, and never more
 * than fits a message of the bus ({@link dev.weft.core.bus.Bus#request}).
 */
final class Dispatches {
  /** A message of the bus may have 48 KiB; what is estimated here may be off by a little. */
  static final int MAXIMUM_BYTES = 40 * 1024;

  private static final int BYTES_OF_ASSIGNMENT = 220; // ids, digest, version, field names
  private static final int BYTES_OF_AMOUNT = 10; // a number and the length of its name
  private static final int BYTES_OF_FILE = 120; // digest, length, field names

  private final Map<Key, List<Assignment>> byKey = new LinkedHashMap<>();

  private record Key(NodeId node, long boot, Authority authority, Job job, boolean merge) {}

  /** Adds an attempt that has just begun where it was placed. */
  void add(Job job, Task task, Placement.Placed placed) {
    byKey
        .computeIfAbsent(
            new Key(placed.node(), placed.boot(), placed.authority(), job, job.isMerge(task)),
            key -> new ArrayList<>())
        .add(
            new Assignment(
                placed.attempt(),
                task.shard,
                placed.taken(),
                placed.remaining(),
                placed.version()));
  }

  /** The messages to send. */
  List<SchedulerEffect> messages() {
    List<SchedulerEffect> messages = new ArrayList<>();
    byKey.forEach((key, all) -> cut(key, all, messages));
    return messages;
  }

  private static void cut(Key key, List<Assignment> all, List<SchedulerEffect> messages) {
    Job job = key.job();
    Command command = job.commandOf(all.get(0).attempt().task().index());
    int common = size(command) + job.files.stream().mapToInt(Dispatches::size).sum();
    List<Assignment> some = new ArrayList<>();
    int bytes = common;
    for (Assignment assignment : all) {
      int more = size(assignment);
      boolean full = some.size() == Message.Assign.MAXIMUM_ASSIGNMENTS;
      if (!some.isEmpty() && (full || bytes + more > MAXIMUM_BYTES)) {
        messages.add(message(key, command, some));
        some = new ArrayList<>();
        bytes = common;
      }
      some.add(assignment);
      bytes += more;
    }
    messages.add(message(key, command, some));
  }

  private static SchedulerEffect message(Key key, Command command, List<Assignment> some) {
    Job job = key.job();
    return new SchedulerEffect.Dispatch(
        key.node(),
        key.boot(),
        key.authority(),
        job.id,
        job.spec,
        command,
        job.files,
        job.shards(),
        List.copyOf(some));
  }

  private static int size(Command command) {
    int bytes = command.folder().map(Dispatches::size).orElse(0);
    for (String argument : command.arguments()) {
      bytes += size(argument);
    }
    for (var variable : command.environment().entrySet()) {
      bytes += size(variable.getKey()) + size(variable.getValue());
    }
    return bytes;
  }

  private static int size(Message.StagedFile file) {
    return BYTES_OF_FILE + size(file.name());
  }

  private static int size(Assignment assignment) {
    return BYTES_OF_ASSIGNMENT
        + (assignment.shard() instanceof Shard.Content content ? size(content.name()) : 0)
        + size(assignment.resources())
        + size(assignment.remaining());
  }

  private static int size(Resources resources) {
    int[] bytes = {0};
    resources
        .perEnvironment()
        .forEach(
            (environment, amount) -> {
              bytes[0] += size(environment.name());
              amount.forEach((type, value) -> bytes[0] += BYTES_OF_AMOUNT + type.name().length());
            });
    return bytes[0];
  }

  // CBOR puts at most five bytes before a text (RFC 8949, section 3.1).
  private static int size(String text) {
    return 5 + text.getBytes(StandardCharsets.UTF_8).length;
  }
}
