package dev.weft.agent.probe;

import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.inventory.Probe;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Finds the memory from {@code /proc/meminfo}, and the limit of the agent's control group: {@code
 * memory.max} of version 2 and {@code memory.limit_in_bytes} of version 1, see the kernel's
 * admin-guide/cgroup-v2 and cgroup-v1/memory. The least limit along the group's path counts.
 */
final class MemoryProbe implements Probe {
  private static final long KIBIBYTE = 1024;
  private static final String UNIT = " kB";

  private final SystemFiles files;
  private final ControlGroups groups;

  /** A probe of this machine; the root is {@code /} but for tests. */
  MemoryProbe(Path root) {
    this.files = new SystemFiles(root);
    this.groups = new ControlGroups(files);
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
    OptionalLong limit = limit();
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
        .filter(value -> value.endsWith(UNIT))
        .map(value -> Values.number(value.substring(0, value.length() - UNIT.length())))
        .filter(OptionalLong::isPresent)
        .map(value -> OptionalLong.of(value.getAsLong() * KIBIBYTE))
        .orElse(OptionalLong.empty());
  }

  /** The least limit along the path; empty if there is none, which version 2 writes as "max". */
  private OptionalLong limit() {
    return Stream.concat(
            groups.versionTwo().stream().map(folder -> folder + "/memory.max"),
            groups.versionOne("memory").stream().map(folder -> folder + "/memory.limit_in_bytes"))
        .flatMap(file -> files.value(file).stream())
        .flatMapToLong(text -> Values.number(text).stream())
        .min();
  }
}
