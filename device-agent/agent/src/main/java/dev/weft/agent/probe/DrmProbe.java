package dev.weft.agent.probe;

import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.inventory.Probe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Finds the graphics processors of AMD and Intel that the kernel knows: {@code
 * /sys/class/drm/card*\/device}, with the memory that the driver amdgpu tells there (kernel: gpu,
 * amdgpu, driver-misc), and the nodes of {@code /sys/class/kfd}, which name the processor's
 * instruction set. Those of NVIDIA are left to {@code nvidia-smi}.
 */
final class DrmProbe implements Probe {
  private static final String CARDS = "sys/class/drm";
  private static final String NODES = "sys/class/kfd/kfd/topology/nodes";
  private static final Pattern CARD = Pattern.compile("card\\d{1,4}");
  // From the PCI ID Repository, pci.ids.
  private static final Map<String, String> VENDORS = Map.of("0x1002", "AMD", "0x8086", "Intel");
  private static final int MAXIMUM_DEVICES = 64;
  private static final int HEXADECIMAL = 16;

  private final SystemFiles files;

  /** A probe of this machine; the root is {@code /} but for tests. */
  DrmProbe(Path root) {
    this.files = new SystemFiles(root);
  }

  @Override
  public String name() {
    return "gpu.drm";
  }

  @Override
  public Inventory look() {
    Map<Long, String> sets = instructionSets();
    // By address: a processor may have several cards.
    Map<String, Device> found = new LinkedHashMap<>();
    for (String card : files.names(CARDS)) {
      if (CARD.matcher(card).matches() && found.size() < MAXIMUM_DEVICES) {
        device(card, sets).ifPresent(gpu -> found.putIfAbsent(gpu.id(), gpu));
      }
    }
    return found.isEmpty()
        ? new Inventory(List.of(), List.of("no graphics processor of AMD or Intel in " + CARDS))
        : new Inventory(new ArrayList<>(found.values()), List.of());
  }

  private Optional<Device.Gpu> device(String card, Map<Long, String> sets) {
    String folder = CARDS + "/" + card + "/device";
    Optional<String> vendor = files.value(folder + "/vendor").map(VENDORS::get);
    Optional<String> device = files.value(folder + "/device");
    if (vendor.isEmpty() || device.isEmpty()) {
      return Optional.empty();
    }
    String events = files.text(folder + "/uevent").orElse("");
    String id =
        Values.line(events, "PCI_SLOT_NAME", "=").or(() -> files.realName(folder)).orElse(card);
    String model =
        files
            .value(folder + "/product_name")
            .orElseGet(() -> vendor.get() + " " + device.get() + set(device.get(), sets));
    long memory =
        files
            .value(folder + "/mem_info_vram_total")
            .map(Values::number)
            .orElse(OptionalLong.empty())
            .orElse(0);
    return Optional.of(
        new Device.Gpu(
            id, vendor.get(), model, memory, Values.line(events, "DRIVER", "=").orElse("")));
  }

  private static String set(String device, Map<Long, String> sets) {
    if (!device.startsWith("0x")) {
      return "";
    }
    OptionalLong number = Values.number(device.substring(2), HEXADECIMAL);
    return number.isPresent() && sets.containsKey(number.getAsLong())
        ? " (" + sets.get(number.getAsLong()) + ")"
        : "";
  }

  private Map<Long, String> instructionSets() {
    Map<Long, String> found = new LinkedHashMap<>();
    for (String node : files.names(NODES)) {
      String properties = files.text(NODES + "/" + node + "/properties").orElse("");
      OptionalLong device = property(properties, "device_id");
      OptionalLong version = property(properties, "gfx_target_version");
      // Nodes that are processors of the machine itself have version 0.
      if (device.isPresent() && version.orElse(0) > 0) {
        found.put(device.getAsLong(), instructionSet(version.getAsLong()));
      }
    }
    return found;
  }

  private static OptionalLong property(String properties, String key) {
    return Values.line(properties, key, " ").map(Values::number).orElse(OptionalLong.empty());
  }

  /** The name of an instruction set: two digits each for minor version and step, such as 90402. */
  static String instructionSet(long version) {
    return "gfx" + version / 10_000 + version / 100 % 100 + Long.toHexString(version % 100);
  }
}
