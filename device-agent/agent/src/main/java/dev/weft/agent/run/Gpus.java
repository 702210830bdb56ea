package dev.weft.agent.run;

import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives each graphics processor of this node a number, which it keeps while the agent lives, also
 * if another one vanishes. Thread-safe.
 */
public final class Gpus {
  /** Most devices that have a number; more are not offered. */
  public static final int MAXIMUM = 64;

  private final Map<String, Integer> numbers = new LinkedHashMap<>();
  private final Map<Integer, Device.Gpu> present = new LinkedHashMap<>();

  /** Takes in what was found: numbers what is new. Returns all that are there, by number. */
  public synchronized Map<Integer, Device.Gpu> found(Inventory inventory) {
    present.clear();
    for (Device.Gpu gpu : inventory.all(Device.Gpu.class)) {
      if (numbers.size() < MAXIMUM || numbers.containsKey(gpu.id())) {
        present.put(numbers.computeIfAbsent(gpu.id(), id -> numbers.size()), gpu);
      }
    }
    return Map.copyOf(present);
  }

  /** Whether any device there is of a vendor. */
  synchronized boolean has(String vendor) {
    return present.values().stream().anyMatch(gpu -> gpu.vendor().equals(vendor));
  }

  /** The devices of some numbers, as far as they are there. */
  synchronized List<Device.Gpu> of(List<Integer> wanted) {
    List<Device.Gpu> found = new ArrayList<>();
    wanted.forEach(number -> Optional.ofNullable(present.get(number)).ifPresent(found::add));
    return found;
  }
}
