package dev.weft.agent;

import dev.weft.api.Amount;
import dev.weft.api.Quantity;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a node offers: what it has, capped by what its operator allows, and what only he knows of.
 *
 * @param offered amounts
 * @param labels labels, those of the operator first
 * @param notes what differs from what the operator wanted, and why
 */
record Offer(Resources offered, SortedMap<String, String> labels, List<String> notes) {
  /** Memory left to the system where the operator names no amount, in bytes. */
  static final long RESERVE = 256L << 20;

  private static final long MILLI = 1_000;
  private static final String NO_EXECUTOR =
      "nothing is offered: the bundle that runs processes is not there; install weft.process";

  Offer {
    Objects.requireNonNull(offered, "offered");
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    notes = List.copyOf(notes);
  }

  /**
   * The offer of a node.
   *
   * @param found what the probes found
   * @param gpus the graphics processors found, by number
   * @param operatingSystem name of the kind of system, for the label {@code os}
   * @param executor whether something is there that runs tasks
   */
  static Offer of(
      OfferRules rules,
      Inventory found,
      Map<Integer, Device.Gpu> gpus,
      String operatingSystem,
      boolean executor) {
    List<String> notes = new ArrayList<>();
    SortedMap<String, String> labels = new TreeMap<>();
    labels.put("os", operatingSystem.toLowerCase(Locale.ROOT));
    found
        .first(Device.Cpu.class)
        .ifPresent(cpu -> labels.put("arch", cpu.architecture().toLowerCase(Locale.ROOT)));
    labels.putAll(rules.labels());
    if (!executor) {
      return new Offer(Resources.NONE, labels, List.of(NO_EXECUTOR));
    }
    long cores = found.first(Device.Cpu.class).map(cpu -> cpu.logicalCores() * MILLI).orElse(0L);
    long memory = found.first(Device.Memory.class).map(Device.Memory::usable).orElse(0L);
    Map<ResourceType, Long> amounts = new HashMap<>();
    amounts.put(ResourceType.CPU, cap(ResourceType.CPU, rules.cpuMilli(), cores, cores, notes));
    amounts.put(
        ResourceType.MEMORY,
        cap(
            ResourceType.MEMORY,
            rules.memoryBytes(),
            memory,
            Math.max(memory - RESERVE, memory / 2),
            notes));
    amounts.putAll(devices(rules, gpus, notes));
    amounts.putAll(rules.counters());
    return new Offer(Resources.ree(Amount.of(amounts)), labels, notes);
  }

  /** Each device with its memory, the first ones by number if the operator wants fewer. */
  private static Map<ResourceType, Long> devices(
      OfferRules rules, Map<Integer, Device.Gpu> gpus, List<String> notes) {
    OptionalLong wanted =
        rules.gpus().isPresent()
            ? OptionalLong.of(rules.gpus().getAsLong() * MILLI)
            : OptionalLong.empty();
    long there = gpus.size() * MILLI;
    long offered = cap(ResourceType.GPU, wanted, there, there, notes) / MILLI;
    Map<ResourceType, Long> amounts = new HashMap<>();
    gpus.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .limit(offered)
        .forEach(
            device -> {
              amounts.put(ResourceType.gpu(device.getKey()), MILLI);
              amounts.put(ResourceType.gpuMemory(device.getKey()), device.getValue().memory());
            });
    return amounts;
  }

  private static long cap(
      ResourceType type, OptionalLong wanted, long there, long otherwise, List<String> notes) {
    if (wanted.isEmpty()) {
      return otherwise;
    }
    if (wanted.getAsLong() > there) {
      notes.add(
          "offer."
              + type
              + " is "
              + Quantity.format(type, wanted.getAsLong())
              + ", but there is only "
              + Quantity.format(type, there)
              + "; that much is offered");
    }
    return Math.min(wanted.getAsLong(), there);
  }
}
