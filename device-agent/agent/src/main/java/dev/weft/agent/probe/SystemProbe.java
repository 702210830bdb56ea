package dev.weft.agent.probe;

import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.inventory.Probe;
import java.nio.file.Path;
import java.util.List;

/** Finds the operating system from {@code os-release(5)} and the kernel's version. */
final class SystemProbe implements Probe {
  private static final String UNKNOWN = "not known";

  private final SystemFiles files;

  /** A probe of this machine; the root is {@code /} but for tests. */
  SystemProbe(Path root) {
    this.files = new SystemFiles(root);
  }

  @Override
  public String name() {
    return "system";
  }

  @Override
  public Inventory look() {
    String release =
        files.text("etc/os-release").or(() -> files.text("usr/lib/os-release")).orElse("");
    return new Inventory(
        List.of(
            new Device.OperatingSystem(
                field(release, "NAME", "Linux"),
                field(release, "VERSION_ID", UNKNOWN),
                files.value("proc/sys/kernel/osrelease").orElse(UNKNOWN))),
        List.of());
  }

  /** A field of {@code os-release}, without its quotes. */
  static String field(String release, String key, String absent) {
    return Values.line(release, key, "=")
        .map(SystemProbe::unquoted)
        .filter(value -> !value.isEmpty())
        .orElse(absent);
  }

  private static String unquoted(String value) {
    char first = value.charAt(0);
    boolean quoted = value.length() > 1 && (first == '"' || first == '\'');
    return quoted && value.charAt(value.length() - 1) == first
        ? value.substring(1, value.length() - 1)
        : value;
  }
}
