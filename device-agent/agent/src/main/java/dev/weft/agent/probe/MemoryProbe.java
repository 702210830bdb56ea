package dev.weft.agent.probe;

import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.inventory.Probe;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/**
 * Memory, from {@code /proc/meminfo}, and the least limit of the control groups the agent is in,
 * version 1 or 2.
 */
@Component(property = "weft.probe.period.ms:Long=1000")
public final class MemoryProbe implements Probe {
  /** Version 1 writes a number near this for "no limit". */
  private static final long NO_LIMIT = 1L << 60;

  private final Path root;

  /** Made by the framework. */
  @Activate
  public MemoryProbe() {
    this(Path.of("/"));
  }

  MemoryProbe(Path root) {
    this.root = root;
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public Inventory look() throws IOException {
    List<String> meminfo = Lines.of(root.resolve("proc/meminfo"));
    Device.Memory memory =
        new Device.Memory(
            kibibytes(meminfo, "MemTotal"),
            kibibytes(meminfo, "MemAvailable"),
            limit(Lines.of(root.resolve("proc/self/cgroup"))));
    return new Inventory(List.of(memory), List.of());
  }

  private static long kibibytes(List<String> meminfo, String key) throws IOException {
    String value =
        Lines.value(meminfo, key, ':')
            .orElseThrow(() -> new IOException("/proc/meminfo has no " + key));
    return Long.parseLong(value.split(" ", -1)[0]) << 10;
  }

  private OptionalLong limit(List<String> memberships) {
    OptionalLong least = OptionalLong.empty();
    for (String membership : memberships) {
      String[] parts = membership.split(":", 3);
      if (parts.length < 3) {
        continue;
      }
      if (parts[1].isEmpty()) {
        least = least(least, walk(root.resolve("sys/fs/cgroup"), parts[2], "memory.max"));
      } else if (List.of(parts[1].split(",", -1)).contains("memory")) {
        Path mount = root.resolve("sys/fs/cgroup/memory");
        least = least(least, walk(mount, parts[2], "memory.limit_in_bytes"));
      }
    }
    return least;
  }

  /** The least limit of a group and of those around it. */
  private static OptionalLong walk(Path mount, String group, String file) {
    OptionalLong least = OptionalLong.empty();
    Path folder = mount.resolve(group.replaceFirst("^/+", "")).normalize();
    while (folder.startsWith(mount)) {
      OptionalLong here =
          Lines.first(folder.resolve(file)).stream()
              .filter(text -> text.matches("\\d{1,18}"))
              .mapToLong(Long::parseLong)
              .filter(limit -> limit < NO_LIMIT)
              .findFirst();
      least = least(least, here);
      folder = folder.getParent();
    }
    return least;
  }

  private static OptionalLong least(OptionalLong one, OptionalLong other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    return OptionalLong.of(Math.min(one.getAsLong(), other.getAsLong()));
  }
}
