package dev.weft.shell.render;

import dev.weft.api.Amount;
import dev.weft.api.Environment;
import dev.weft.api.NodeId;
import dev.weft.api.Quantity;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.core.job.DrainStatus;
import dev.weft.core.resources.NodeStatus;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Nodes as text and in JSON. */
public final class NodeReport {
  private NodeReport() {}

  /** One line per node; amounts as given and offered, and what is really used. */
  public static String list(
      List<NodeStatus> nodes, Map<NodeId, DrainStatus> drains, Instant now, boolean ansi) {
    Table table =
        Table.of(
            "ID",
            "NAME",
            "STATE",
            ">TASKS",
            ">CPU GIVEN",
            ">FREE",
            ">LOAD",
            ">MEMORY GIVEN",
            ">FREE",
            ">IN USE",
            ">GPU GIVEN",
            ">FREE",
            ">REPORT");
    for (NodeStatus node : nodes) {
      table.row(
          node.id().shortForm(),
          node.name(),
          state(node, drains),
          Integer.toString(node.placements()),
          givenOfOffered(node, ResourceType.CPU),
          amount(node.free(), ResourceType.CPU),
          cpuUsed(node.inventory()),
          givenOfOffered(node, ResourceType.MEMORY),
          amount(node.free(), ResourceType.MEMORY),
          memoryUsed(node.inventory()),
          givenOfOffered(node, ResourceType.GPU),
          amount(node.free(), ResourceType.GPU),
          Text.age(node.reportedAt(), now));
    }
    return table.render(ansi);
  }

  private static String state(NodeStatus node, Map<NodeId, DrainStatus> drains) {
    DrainStatus drain = drains.get(node.id());
    return node.state() + (drain == null ? "" : drain.isDone() ? ", drained" : ", draining");
  }

  private static String givenOfOffered(NodeStatus node, ResourceType type) {
    return amount(node.given(), type) + "/" + amount(node.offered(), type);
  }

  private static String amount(Resources resources, ResourceType type) {
    return Quantity.format(type, resources.in(Environment.REE).total(type));
  }

  private static String cpuUsed(Inventory inventory) {
    return inventory
        .first(Device.Cpu.class)
        .filter(cpu -> cpu.load() >= 0)
        .map(cpu -> String.format(Locale.ROOT, "%.2f", cpu.load()))
        .orElse("");
  }

  private static String memoryUsed(Inventory inventory) {
    return memoryUse(inventory).map(Quantity::bytes).orElse("");
  }

  private static Optional<Long> memoryUse(Inventory inventory) {
    return inventory
        .first(Device.Memory.class)
        .map(memory -> Math.max(0, memory.total() - memory.available()));
  }

  /** All of one node. */
  public static String show(
      NodeStatus node, Map<NodeId, DrainStatus> drains, Instant now, ZoneId zone, boolean ansi) {
    Optional<DrainStatus> drain = Optional.ofNullable(drains.get(node.id()));
    StringBuilder text = new StringBuilder();
    text.append(
        new Facts()
            .add("Node", node.id().hex())
            .add("Name", node.name())
            .add("State", state(node, drains))
            .add("Reason", node.reason())
            .add("Drain", drain.map(status -> DrainReport.line(status, now, zone)).orElse(""))
            .add("Tasks", Integer.toString(node.placements()))
            .add("Labels", labels(node))
            .add("Boot", Long.toString(node.boot()))
            .add("Free version", Long.toString(node.version()))
            .add(
                "Report",
                Text.moment(node.reportedAt(), zone)
                    + " ("
                    + Text.age(node.reportedAt(), now)
                    + ")")
            .render());
    text.append('\n').append(amounts(node).render(ansi));
    drain
        .map(status -> DrainReport.left(status, ansi))
        .filter(left -> !left.isEmpty())
        .ifPresent(left -> text.append('\n').append(left));
    Table devices = devices(node.inventory());
    if (!devices.isEmpty()) {
      text.append('\n').append(devices.render(ansi));
    }
    for (String note : node.inventory().notes()) {
      text.append("Note: ").append(Text.clean(note)).append('\n');
    }
    return text.toString();
  }

  private static String labels(NodeStatus node) {
    return node.labels().entrySet().stream()
        .map(label -> label.getKey() + "=" + label.getValue())
        .collect(Collectors.joining(", "));
  }

  private static Table amounts(NodeStatus node) {
    Table table = Table.of("RESOURCE", ">OFFERED", ">GIVEN", ">FREE", ">USED");
    SortedSet<Environment> environments = new TreeSet<>(node.offered().perEnvironment().keySet());
    environments.addAll(node.given().perEnvironment().keySet());
    environments.add(Environment.REE);
    for (Environment environment : environments) {
      Amount offered = node.offered().in(environment);
      Amount given = node.given().in(environment);
      SortedSet<ResourceType> types = new TreeSet<>(offered.asMap().keySet());
      types.addAll(given.asMap().keySet());
      boolean ordinary = environment.equals(Environment.REE);
      if (ordinary) {
        types.addAll(List.of(ResourceType.CPU, ResourceType.MEMORY));
      }
      if (types.stream().filter(ResourceType::isGpuDevice).count() > 1) { // and all together
        types.addAll(List.of(ResourceType.GPU, ResourceType.GPU_MEMORY));
      }
      for (ResourceType type : types) {
        table.row(
            (ordinary ? "" : environment + " ") + type,
            Quantity.format(type, offered.total(type)),
            Quantity.format(type, given.total(type)),
            Quantity.format(type, node.free().in(environment).total(type)),
            ordinary ? used(node.inventory(), type) : "");
      }
    }
    return table;
  }

  private static String used(Inventory inventory, ResourceType type) {
    if (type.equals(ResourceType.CPU)) {
      return cpuUsed(inventory);
    }
    return type.equals(ResourceType.MEMORY) ? memoryUsed(inventory) : "";
  }

  private static Table devices(Inventory inventory) {
    Table table = Table.of("DEVICE", "WHAT");
    for (Device device : inventory.devices()) {
      if (device instanceof Device.Cpu cpu) {
        table.row(
            "cpu",
            "%s, %s, %s"
                .formatted(
                    cpu.model(),
                    cpu.architecture(),
                    Text.count(cpu.logicalCores(), "logical core")));
      } else if (device instanceof Device.Memory memory) {
        String limit =
            memory.limit().isPresent()
                ? ", limited to " + Quantity.bytes(memory.limit().getAsLong())
                : "";
        table.row(
            "memory",
            "%s, %s available%s"
                .formatted(
                    Quantity.bytes(memory.total()), Quantity.bytes(memory.available()), limit));
      } else if (device instanceof Device.Disk disk) {
        table.row(
            "disk",
            "%s, %s free".formatted(Quantity.bytes(disk.total()), Quantity.bytes(disk.free())));
      } else if (device instanceof Device.OperatingSystem system) {
        table.row(
            "system",
            "%s %s, kernel %s".formatted(system.name(), system.version(), system.kernel()));
      } else if (device instanceof Device.Gpu gpu) {
        table.row("gpu", gpu(gpu));
      }
    }
    return table;
  }

  private static String gpu(Device.Gpu gpu) {
    return gpu.vendor()
        + " "
        + gpu.model()
        + (gpu.memory() > 0 ? ", " + Quantity.bytes(gpu.memory()) : "")
        + (gpu.driver().isEmpty() ? "" : ", driver " + gpu.driver())
        + ", "
        + gpu.id();
  }

  /** A node in JSON: the fields of one object. */
  public static void json(Json json, NodeStatus node, Map<NodeId, DrainStatus> drains)
      throws IOException {
    json.field("id", node.id().hex())
        .field("name", node.name())
        .field("state", node.state().name())
        .field("reason", node.reason())
        .field("tasks", node.placements())
        .field("boot", node.boot())
        .field("version", node.version())
        .resources("offered", node.offered())
        .resources("given", node.given())
        .resources("free", node.free())
        .object("used", used -> used(used, node.inventory()))
        .object(
            "labels",
            labels -> {
              for (var label : node.labels().entrySet()) {
                labels.field(label.getKey(), label.getValue());
              }
            })
        .array(
            "devices",
            devices -> {
              for (Device device : node.inventory().devices()) {
                devices.object(fields -> device(fields, device));
              }
            })
        .strings("notes", node.inventory().notes())
        .time("reportedAt", node.reportedAt());
    DrainReport.json(json, Optional.ofNullable(drains.get(node.id())));
  }

  private static void used(Json json, Inventory inventory) throws IOException {
    Optional<Device.Cpu> cpu = inventory.first(Device.Cpu.class).filter(c -> c.load() >= 0);
    if (cpu.isPresent()) {
      json.decimal("cpuLoad", cpu.get().load());
    } else {
      json.none("cpuLoad");
    }
    Optional<Long> memory = memoryUse(inventory);
    if (memory.isPresent()) {
      json.field("memoryBytes", memory.get());
    } else {
      json.none("memoryBytes");
    }
  }

  private static void device(Json json, Device device) throws IOException {
    if (device instanceof Device.Cpu cpu) {
      json.field("kind", "cpu")
          .field("architecture", cpu.architecture())
          .field("model", cpu.model())
          .field("logicalCores", cpu.logicalCores())
          .decimal("load", cpu.load());
    } else if (device instanceof Device.Memory memory) {
      json.field("kind", "memory")
          .field("totalBytes", memory.total())
          .field("availableBytes", memory.available());
      OptionalLong limit = memory.limit();
      if (limit.isPresent()) {
        json.field("limitBytes", limit.getAsLong());
      } else {
        json.none("limitBytes");
      }
    } else if (device instanceof Device.Disk disk) {
      json.field("kind", "disk").field("totalBytes", disk.total()).field("freeBytes", disk.free());
    } else if (device instanceof Device.OperatingSystem system) {
      json.field("kind", "operatingSystem")
          .field("name", system.name())
          .field("version", system.version())
          .field("kernel", system.kernel());
    } else if (device instanceof Device.Gpu gpu) {
      json.field("kind", "gpu")
          .field("id", gpu.id())
          .field("vendor", gpu.vendor())
          .field("model", gpu.model())
          .field("memoryBytes", gpu.memory())
          .field("driver", gpu.driver());
    }
  }
}
