package dev.weft.agent.probe;

import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.inventory.Probe;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * Finds the memory from {@code /proc/meminfo}, and the limit of the agent's control group: {@code
 * memory.max} of version 2 and {@code memory.limit_in_bytes} of version 1, see the kernel's
 * admin-guide/cgroup-v2 and cgroup-v1/memory. The least limit along the group's path counts.
 */
final class MemoryProbe implements Probe {
  private static final String VERSION_2 = "sys/fs/cgroup";
  private static final String VERSION_1 = "sys/fs/cgroup/memory";
  private static final long KIBIBYTE = 1024;
  private static final int FIELDS = 3;

  private final SystemFiles files;

  /** A probe of this machine; the root is {@code /} but for tests. */
  MemoryProbe(Path root) {
    this.files = new SystemFiles(root);
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public Inventory look() throws IOException {
    String information =
        files.text("proc/meminfo").orElseThrow(() -> new IOException("cannot read /proc/meminfo"));
    long total =
        amount(information, "MemTotal")
            .orElseThrow(() -> new IOException("no MemTotal in /proc/meminfo"));
    // Kernels before 3.14 do not say what is available.
    OptionalLong available = amount(information, "MemAvailable");
    long free = available.orElse(amount(information, "MemFree").orElse(0));
    OptionalLong limit = limit(files.text("proc/self/cgroup").orElse(""));
    // Version 1 writes an unset limit as a huge number.
    boolean real = limit.isPresent() && limit.getAsLong() < total;
    return new Inventory(
        List.of(
            new Device.Memory(total, Math.min(free, total), real ? limit : OptionalLong.empty())),
        List.of());
  }

  /** An amount in {@code meminfo}, in bytes. */
  static OptionalLong amount(String information, String key) {
    return Values.line(information, key, ":")
        .filter(value -> value.endsWith(" kB"))
        .map(value -> Values.number(value.substring(0, value.length() - FIELDS)))
        .filter(OptionalLong::isPresent)
        .map(value -> OptionalLong.of(value.getAsLong() * KIBIBYTE))
        .orElse(OptionalLong.empty());
  }

  private OptionalLong limit(String groups) {
    OptionalLong least = OptionalLong.empty();
    for (String line : groups.lines().toList()) {
      String[] fields = line.split(":", FIELDS);
      if (fields.length < FIELDS) {
        continue;
      }
      if (fields[0].equals("0") && fields[1].isEmpty()) {
        least = least(least, along(VERSION_2, fields[2], "memory.max"));
      } else if (List.of(fields[1].split(",", -1)).contains("memory")) {
        least = least(least, along(VERSION_1, fields[2], "memory.limit_in_bytes"));
      }
    }
    return least;
  }

  private OptionalLong along(String mount, String group, String file) {
    OptionalLong least = OptionalLong.empty();
    // A path with .. names a group outside of the container: only the mount's own root is visible.
    String path = group.contains("..") ? "" : group;
    while (true) {
      OptionalLong here =
          files.value(mount + path + "/" + file).map(Values::number).orElse(OptionalLong.empty());
      least = least(least, here);
      int slash = path.lastIndexOf('/');
      if (slash < 0) {
        return least;
      }
      path = path.substring(0, slash);
    }
  }

  private static OptionalLong least(OptionalLong one, OptionalLong other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    return OptionalLong.of(Math.min(one.getAsLong(), other.getAsLong()));
  }
}
