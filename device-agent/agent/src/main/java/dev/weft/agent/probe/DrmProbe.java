package dev.weft.agent.probe;

import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.inventory.Probe;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/**
 * AMD's and Intel's graphics processors, from {@code /sys/class/drm}; for AMD the model's name from
 * the kernel's topology of compute devices ({@code /sys/class/kfd}). NVIDIA's are left to {@link
 * NvidiaProbe}.
 */
@Component(property = "weft.probe.period.ms:Long=30000")
public final class DrmProbe implements Probe {
  private static final Map<String, String> VENDORS = Map.of("0x1002", "AMD", "0x8086", "Intel");
  private static final int PCI_BUS_BITS = 8;

  private final Path root;

  /** Made by the framework. */
  @Activate
  public DrmProbe() {
    this(Path.of("/"));
  }

  DrmProbe(Path root) {
    this.root = root;
  }

  @Override
  public String name() {
    return "gpu.drm";
  }

  @Override
  public Inventory look() throws IOException {
    Path cards = root.resolve("sys/class/drm");
    if (!Files.isDirectory(cards)) {
      return new Inventory(
          List.of(), List.of("no AMD or Intel GPU: the kernel has no /sys/class/drm"));
    }
    List<Device> gpus = new ArrayList<>();
    for (Path card : list(cards, "card*")) {
      if (card.getFileName().toString().matches("card\\d+")) {
        gpu(card.resolve("device")).ifPresent(gpus::add);
      }
    }
    return new Inventory(gpus, List.of());
  }

  private static List<Path> list(Path folder, String glob) throws IOException {
    TreeSet<Path> sorted = new TreeSet<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, glob)) {
      entries.forEach(sorted::add);
    }
    return List.copyOf(sorted);
  }

  private Optional<Device> gpu(Path device) throws IOException {
    String vendor =
        Lines.first(device.resolve("vendor"))
            .map(id -> VENDORS.getOrDefault(id.toLowerCase(Locale.ROOT), ""))
            .orElse("");
    if (vendor.isEmpty()) {
      return Optional.empty();
    }
    List<String> event =
        Files.exists(device.resolve("uevent")) ? Lines.of(device.resolve("uevent")) : List.of();
    String address = Lines.value(event, "PCI_SLOT_NAME", '=').orElse("unknown");
    String id = Lines.first(device.resolve("device")).orElse("unknown");
    long memory =
        Lines.first(device.resolve("mem_info_vram_total"))
            .filter(text -> text.matches("\\d{1,18}"))
            .map(Long::parseLong)
            .orElse(0L);
    String model =
        Lines.first(device.resolve("product_name"))
            .or(() -> topologyName(address))
            .orElse(vendor + " device " + id);
    return Optional.of(
        new Device.Gpu(
            address, vendor, model, memory, Lines.value(event, "DRIVER", '=').orElse("")));
  }

  /** Name of the compute node whose location is this PCI address. */
  private Optional<String> topologyName(String address) {
    Path nodes = root.resolve("sys/class/kfd/kfd/topology/nodes");
    if (!Files.isDirectory(nodes) || !address.matches("\\p{XDigit}{4}:\\p{XDigit}{2}:.*")) {
      return Optional.empty();
    }
    String[] parts = address.split("[:.]", -1);
    long location =
        (Long.parseLong(parts[1], 16) << PCI_BUS_BITS)
            | (Long.parseLong(parts[2], 16) << 3)
            | Long.parseLong(parts[3], 16);
    try {
      for (Path node : list(nodes, "*")) {
        List<String> properties = Lines.of(node.resolve("properties"));
        if (Lines.value(properties, "location_id", ' ').equals(Optional.of("" + location))) {
          return Lines.first(node.resolve("name"));
        }
      }
    } catch (IOException e) {
      return Optional.empty(); // without the compute driver the device still counts
    }
    return Optional.empty();
  }
}
