package dev.weft.resources.pool;

import dev.weft.api.Amount;
import dev.weft.api.Environment;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import java.util.Map;

/**
 * Amounts as numbers that can be compared at once: of a node what it has, of a demand what it
 * wants.
 *
 * @param cpu in the ordinary environment
 * @param memory in the ordinary environment
 * @param gpu thousandths: of whole devices together if there is one, else of the best part
 * @param gpuMemory of the best device, or of each that is wanted
 * @param rare all else ({@link Traits})
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Bounds(long cpu, long memory, long gpu, long gpuMemory, long[] rare) {
  private static final long WHOLE = 1_000;

  /** What a node has. */
  static Bounds of(Resources free) {
    return new Collector(false).collect(free);
  }

  /** What a demand wants. */
  static Bounds wanted(Resources demand) {
    return new Collector(true).collect(demand);
  }

  /** Whether a node whose bounds are exact and that has as much certainly fits. */
  static boolean sayAll(Resources demand) {
    for (Environment environment : demand.perEnvironment().keySet()) {
      if (!environment.equals(Environment.REE)) {
        return false;
      }
    }
    boolean[] all = {true};
    demand
        .in(Environment.REE)
        .forEach(
            (type, value) ->
                all[0] &=
                    type.equals(ResourceType.CPU)
                        || type.equals(ResourceType.MEMORY)
                        || type.equals(ResourceType.GPU));
    return all[0];
  }

  /** Adds up the amounts of one node or demand. */
  private static final class Collector {
    private final boolean demand;
    private long cpu;
    private long memory;
    private long gpu;
    private long gpuMemory;
    private long[] rare = Traits.NONE;
    private long part;
    private long whole;
    private long deviceMemory;

    Collector(boolean demand) {
      this.demand = demand;
    }

    Bounds collect(Resources resources) {
      for (Map.Entry<Environment, Amount> entry : resources.perEnvironment().entrySet()) {
        collect(entry.getKey(), entry.getValue());
      }
      return new Bounds(cpu, memory, gpu, gpuMemory, rare);
    }

    private void collect(Environment environment, Amount amount) {
      part = 0;
      whole = 0;
      deviceMemory = 0;
      boolean ordinary = environment.equals(Environment.REE);
      amount.forEach(
          (type, value) -> {
            if (device(type, value)) {
              return;
            }
            if (ordinary && type.equals(ResourceType.CPU)) {
              cpu = value;
            } else if (ordinary && type.equals(ResourceType.MEMORY)) {
              memory = value;
            } else {
              rare = Traits.raise(rare, environment, type, value);
            }
          });
      if (demand) {
        wantedDevices(amount);
      }
      long share = whole > 0 ? whole : part;
      if (ordinary) {
        gpu = share;
        gpuMemory = deviceMemory;
      } else if (share > 0) {
        rare = Traits.raise(rare, environment, ResourceType.GPU, share);
        rare = Traits.raise(rare, environment, ResourceType.GPU_MEMORY, deviceMemory);
      }
    }

    /** Whether the type is about graphics processors; then it is looked at by device or not. */
    private boolean device(ResourceType type, long value) {
      if (type.isGpuDevice()) {
        if (!demand) {
          part = Math.max(part, value);
          whole += value >= WHOLE ? WHOLE : 0;
        }
        return true; // a demand that names a device itself is checked node by node
      }
      if (type.isGpuDeviceMemory()) {
        deviceMemory = demand ? 0 : Math.max(deviceMemory, value);
        return true;
      }
      return type.equals(ResourceType.GPU) || type.equals(ResourceType.GPU_MEMORY);
    }

    private void wantedDevices(Amount amount) {
      long share = amount.get(ResourceType.GPU);
      if (share > 0) {
        // Parts lie on one device, more is given in whole devices.
        part = share < WHOLE ? share : 0;
        whole = share < WHOLE ? 0 : ((share - 1) / WHOLE + 1) * WHOLE;
        deviceMemory = amount.get(ResourceType.GPU_MEMORY);
      }
    }
  }
}
