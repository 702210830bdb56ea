package dev.weft.agent;

import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Puts together what several probes found, within what a report can carry. */
final class InventoryMerge {
  /** Most bytes of text in devices and notes; a report must fit a message of 48 KiB. */
  static final int MAXIMUM_BYTES = 10 * 1024;

  private static final int MAXIMUM_NOTES = 32;
  private static final int MAXIMUM_NOTE = 200;
  private static final int DEVICE_BYTES = 100;

  private InventoryMerge() {}

  /** Everything found, in order; each note once. */
  static Inventory of(List<Inventory> found, List<String> moreNotes) {
    List<Device> devices = new ArrayList<>();
    Set<String> notes = new TreeSet<>();
    int left = MAXIMUM_BYTES;
    int dropped = 0;
    for (Inventory inventory : found) {
      for (Device device : inventory.devices()) {
        int bytes = DEVICE_BYTES + text(device);
        if (bytes > left) {
          dropped++;
        } else {
          left -= bytes;
          devices.add(device);
        }
      }
      notes.addAll(inventory.notes());
    }
    List<String> kept = new ArrayList<>(moreNotes);
    if (dropped > 0) {
      kept.add(dropped + " devices are left out, because a report cannot carry more");
    }
    kept.addAll(notes);
    return new Inventory(devices, fit(kept, left));
  }

  private static List<String> fit(List<String> notes, int bytes) {
    List<String> kept = new ArrayList<>();
    int left = bytes;
    for (String note : notes) {
      String shortened = note.length() > MAXIMUM_NOTE ? note.substring(0, MAXIMUM_NOTE) : note;
      left -= WireSize.text(shortened);
      if (left < 0 || kept.size() == MAXIMUM_NOTES) {
        break;
      }
      kept.add(shortened);
    }
    return kept;
  }

  private static int text(Device device) {
    if (device instanceof Device.Gpu gpu) {
      return WireSize.text(gpu.id())
          + WireSize.text(gpu.vendor())
          + WireSize.text(gpu.model())
          + WireSize.text(gpu.driver());
    }
    if (device instanceof Device.Cpu cpu) {
      return WireSize.text(cpu.architecture()) + WireSize.text(cpu.model());
    }
    if (device instanceof Device.OperatingSystem system) {
      return WireSize.text(system.name())
          + WireSize.text(system.version())
          + WireSize.text(system.kernel());
    }
    return 0;
  }
}
