package dev.weft.agent;

import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Says when which manager gets a report (A5, E1): when it comes up, at once when what is offered or
 * found changes, soon when the load or free space does, and periodically. Part of the core.
 */
final class ReportPlan {
  /** Shortest time between two reports to a manager: at most 5 a second. */
  static final Duration SHORTEST = Duration.ofMillis(200);

  /** Shortest time between two reports that say little new, and before one is tried again. */
  static final Duration CALM = Duration.ofSeconds(1);

  private static final double LOAD_PER_CORE = 0.25;
  private static final double SHARE = 0.05;

  private final SortedMap<NodeId, Track> tracks = new TreeMap<>();
  private Duration period;

  ReportPlan(Duration period) {
    this.period = period;
  }

  /** What a report says, apart from numbers. */
  record Content(
      Resources offered, Resources free, SortedMap<String, String> labels, Inventory inventory) {}

  private static final class Track {
    Optional<Instant> sent = Optional.empty();
    Optional<Content> content = Optional.empty();
    long number;
  }

  void period(Duration next) {
    period = next;
  }

  void managerUp(NodeId manager) {
    tracks.put(manager, new Track());
  }

  void managerDown(NodeId manager) {
    tracks.remove(manager);
  }

  List<NodeId> managersDue(Content content, Instant now) {
    return tracks.entrySet().stream()
        .filter(entry -> isDue(entry.getValue(), content, now))
        .map(entry -> entry.getKey())
        .toList();
  }

  void sent(NodeId manager, Content content, long number, Instant now) {
    Track track = tracks.get(manager);
    track.sent = Optional.of(now);
    track.content = Optional.of(content);
    track.number = number;
  }

  /** A report did not arrive: the manager does not know what it said. */
  void failed(NodeId manager, long number) {
    Track track = tracks.get(manager);
    if (track != null && track.number == number) {
      track.content = Optional.empty();
    }
  }

  private boolean isDue(Track track, Content content, Instant now) {
    if (track.sent.isEmpty()) {
      return true;
    }
    Duration wait = track.content.map(before -> wait(before, content)).orElse(CALM);
    return !now.isBefore(track.sent.get().plus(wait));
  }

  private Duration wait(Content before, Content after) {
    if (!before.offered().equals(after.offered())
        || !before.free().equals(after.free())
        || !before.labels().equals(after.labels())
        || !steady(before.inventory()).equals(steady(after.inventory()))) {
      return SHORTEST;
    }
    boolean moved =
        !before.inventory().notes().equals(after.inventory().notes())
            || hasMoved(before.inventory(), after.inventory());
    return moved && CALM.compareTo(period) < 0 ? CALM : period;
  }

  /** The devices without what changes all the time. */
  private static List<Device> steady(Inventory inventory) {
    return inventory.devices().stream().map(ReportPlan::steady).toList();
  }

  private static Device steady(Device device) {
    if (device instanceof Device.Cpu cpu) {
      return new Device.Cpu(cpu.architecture(), cpu.model(), cpu.logicalCores(), 0);
    }
    if (device instanceof Device.Memory memory) {
      return new Device.Memory(memory.total(), 0, memory.limit());
    }
    if (device instanceof Device.Disk disk) {
      return new Device.Disk(disk.total(), 0);
    }
    return device;
  }

  private static boolean hasMoved(Inventory before, Inventory after) {
    Optional<Device.Cpu> cpu = after.first(Device.Cpu.class);
    double load = load(before) - load(after);
    return Math.abs(load) > LOAD_PER_CORE * cpu.map(Device.Cpu::logicalCores).orElse(1)
        || hasMoved(available(before), available(after))
        || hasMoved(free(before), free(after));
  }

  private static boolean hasMoved(OptionalLong before, OptionalLong after) {
    return before.isPresent()
        && after.isPresent()
        && Math.abs(before.getAsLong() - after.getAsLong()) > SHARE * before.getAsLong();
  }

  private static double load(Inventory inventory) {
    return inventory.first(Device.Cpu.class).map(Device.Cpu::load).orElse(0.0);
  }

  private static OptionalLong available(Inventory inventory) {
    return inventory.all(Device.Memory.class).stream()
        .mapToLong(Device.Memory::available)
        .findFirst();
  }

  private static OptionalLong free(Inventory inventory) {
    return inventory.all(Device.Disk.class).stream().mapToLong(Device.Disk::free).findFirst();
  }
}
