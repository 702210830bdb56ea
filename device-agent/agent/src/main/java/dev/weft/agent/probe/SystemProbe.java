package dev.weft.agent.probe;

import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.inventory.Probe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** The operating system, from {@code os-release} and the kernel. */
@Component(property = "weft.probe.period.ms:Long=60000")
public final class SystemProbe implements Probe {
  private final Path root;

  /** Made by the framework. */
  @Activate
  public SystemProbe() {
    this(Path.of("/"));
  }

  SystemProbe(Path root) {
    this.root = root;
  }

  @Override
  public String name() {
    return "system";
  }

  @Override
  public Inventory look() throws IOException {
    Path own = root.resolve("etc/os-release");
    Path file = Files.exists(own) ? own : root.resolve("usr/lib/os-release");
    List<String> release = Files.exists(file) ? Lines.of(file) : List.of();
    Device.OperatingSystem system =
        new Device.OperatingSystem(
            value(release, "NAME", "Linux"),
            value(release, "VERSION_ID", ""),
            Lines.first(root.resolve("proc/sys/kernel/osrelease")).orElse(""));
    return new Inventory(List.of(system), List.of());
  }

  private static String value(List<String> release, String key, String otherwise) {
    return Lines.value(release, key, '=')
        .map(text -> text.replaceAll("^['\"]|['\"]$", ""))
        .orElse(otherwise);
  }
}
