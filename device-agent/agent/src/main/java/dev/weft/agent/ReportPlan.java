package dev.weft.agent;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.core.message.Message.Reported;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
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

  /** Most managers that are kept; of more, one that is down is forgotten. */
  static final int MAXIMUM_MANAGERS = 16;

  /** Most attempts that are named as over to a manager. */
  static final int MAXIMUM_OVER = 512;

  private static final double LOAD_PER_CORE = 0.25;
  private static final double SHARE = 0.05;

  private final NavigableMap<NodeId, Track> tracks = new TreeMap<>();
  private Duration period;

  ReportPlan(Duration period) {
    this.period = period;
  }

  /**
   * What a report says, apart from numbers.
   *
   * @param changes rises when an attempt begins to hold resources, or is over
   */
  record Content(
      Resources offered,
      Resources free,
      SortedMap<String, String> labels,
      Inventory inventory,
      long changes) {}

  /** What is kept of a manager. */
  private static final class Track {
    boolean up;
    Optional<String> group = Optional.empty();
    Optional<Instant> sent = Optional.empty();
    Optional<Content> content = Optional.empty();
    long number;
    boolean underWay;
    boolean urgent;

    /** Whether the manager has the labels and the inventory of the last content. */
    boolean describe = true;

    /** When an update is due, if the manager has said that versions differ (B4 c). */
    Optional<Instant> update = Optional.empty();

    final Set<AttemptId> over = new LinkedHashSet<>();
  }

  /** What a report to a manager must say. */
  record Due(
      NodeId manager,
      Optional<String> group,
      List<AttemptId> over,
      boolean update,
      boolean describe) {
    Due {
      over = List.copyOf(over);
    }
  }

  void period(Duration next) {
    period = next;
  }

  void managerUp(NodeId manager) {
    Track track = tracks.computeIfAbsent(manager, id -> new Track());
    track.up = true;
    track.group = Optional.empty(); // it may have been configured anew
    track.sent = Optional.empty();
    track.content = Optional.empty();
    track.underWay = false;
    track.describe = true;
    track.update = Optional.empty();
    if (tracks.size() > MAXIMUM_MANAGERS) {
      tracks.entrySet().stream()
          .filter(entry -> !entry.getValue().up)
          .map(Map.Entry::getKey)
          .findFirst()
          .ifPresent(tracks::remove);
    }
  }

  void managerDown(NodeId manager) {
    Track track = tracks.get(manager);
    if (track != null) {
      track.up = false;
    }
  }

  /** The group of a manager, once it has answered a report. */
  Optional<String> group(NodeId manager) {
    return Optional.ofNullable(tracks.get(manager)).flatMap(track -> track.group);
  }

  /**
   * An attempt has ended or was refused: each manager is told until it acknowledges (B7). Of very
   * many the oldest is not told any more: the manager infers the end of an attempt that it knew to
   * run, and asks about one that it never heard of.
   */
  void over(AttemptId attempt) {
    for (Track track : tracks.values()) {
      track.over.add(attempt);
      if (track.over.size() > MAXIMUM_OVER) {
        Iterator<AttemptId> oldest = track.over.iterator();
        oldest.next();
        oldest.remove();
      }
    }
  }

  List<Due> due(Content content, Instant now) {
    List<Due> due = new ArrayList<>();
    tracks.forEach(
        (manager, track) -> {
          if (isDue(track, content, now)) {
            boolean update = track.update.isPresent() && !now.isBefore(track.update.get());
            boolean describe = track.describe || isDescribedAnew(track, content);
            due.add(new Due(manager, track.group, List.copyOf(track.over), update, describe));
          }
        });
    return due;
  }

  private static boolean isDescribedAnew(Track track, Content content) {
    return track.content.isEmpty()
        || !track.content.get().labels().equals(content.labels())
        || !track.content.get().inventory().equals(content.inventory());
  }

  void sent(NodeId manager, Content content, long number, Instant now) {
    Track track = tracks.get(manager);
    track.sent = Optional.of(now);
    track.content = Optional.of(content);
    track.number = number;
    track.underWay = true;
    track.urgent = false;
  }

  /** A report did not arrive, or the manager could not take it. */
  void failed(NodeId manager, long number) {
    Track track = tracks.get(manager);
    if (track != null && track.number == number) {
      track.underWay = false;
      track.content = Optional.empty();
    }
  }

  /**
   * A report was answered.
   *
   * @param newTerm whether its term was new to this node: then the manager waits for another report
   * @param differTime how long the node waits for an agreement before it sends an update (B4 c)
   */
  void answered(
      NodeId manager,
      long number,
      Reported answer,
      boolean newTerm,
      Duration differTime,
      Instant now) {
    Track track = tracks.get(manager);
    if (track == null || track.number != number) {
      return;
    }
    track.underWay = false;
    track.urgent = newTerm || track.group.isEmpty();
    track.group = Optional.of(answer.authority().group());
    track.describe = answer.describe();
    answer.acknowledged().forEach(track.over::remove);
    switch (answer.correction()) {
      case DIFFERS -> {
        if (track.update.isEmpty()) {
          track.update = Optional.of(now.plus(differTime));
        }
      }
      case TAKE, AGREES -> track.update = Optional.empty();
      case NONE -> {}
    }
  }

  private boolean isDue(Track track, Content content, Instant now) {
    if (!track.up || track.underWay) {
      return false;
    }
    if (track.sent.isEmpty() || track.urgent) {
      return true;
    }
    if (track.update.isPresent() && !now.isBefore(track.update.get())) {
      return true;
    }
    Duration wait = track.content.map(before -> wait(before, content)).orElse(CALM);
    return !now.isBefore(track.sent.get().plus(wait));
  }

  private Duration wait(Content before, Content after) {
    if (!before.offered().equals(after.offered())
        || before.changes() != after.changes()
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
