package dev.weft.agent;

import dev.weft.api.Amount;
import dev.weft.api.Quantity;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a node offers: what it has, capped by what its operator allows.
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
   * @param operatingSystem name of the kind of system, for the label {@code os}
   * @param executor whether something is there that runs tasks
   */
  static Offer of(OfferRules rules, Inventory found, String operatingSystem, boolean executor) {
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
    long gpus = found.all(Device.Gpu.class).size() * MILLI;
    OptionalLong wantedGpus =
        rules.gpus().isPresent()
            ? OptionalLong.of(rules.gpus().getAsLong() * MILLI)
            : OptionalLong.empty();
    Amount amount =
        Amount.of(
            cap(ResourceType.CPU, rules.cpuMilli(), cores, cores, notes),
            cap(
                ResourceType.MEMORY,
                rules.memoryBytes(),
                memory,
                Math.max(memory - RESERVE, memory / 2),
                notes),
            cap(ResourceType.GPU, wantedGpus, gpus, gpus, notes));
    return new Offer(Resources.ree(amount), labels, notes);
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
