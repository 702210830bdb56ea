package dev.weft.api;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A vector of resources: how much of each type. A type that is not named counts as zero, and zeros
 * are never stored, so that equal amounts are equal objects. Immutable.
 */
public final class Amount {
  /** Nothing at all. */
  public static final Amount NONE = new Amount(new ResourceType[0], new long[0]);

  // Sorted by type; kept in arrays because placement compares amounts many times per decision.
  private final ResourceType[] types;
  private final long[] values;

  private Amount(ResourceType[] types, long[] values) {
    this.types = types;
    this.values = values;
  }

  /**
   * The amount with the given values.
   *
   * @throws IllegalArgumentException if a value is negative
   */
  public static Amount of(Map<ResourceType, Long> values) {
    SortedMap<ResourceType, Long> sorted = new TreeMap<>(values);
    sorted.values().removeIf(value -> value == 0);
    ResourceType[] types = sorted.keySet().toArray(new ResourceType[0]);
    long[] numbers = sorted.values().stream().mapToLong(Long::longValue).toArray();
    for (int i = 0; i < numbers.length; i++) {
      if (numbers[i] < 0) {
        throw new IllegalArgumentException(types[i] + " must not be negative: " + numbers[i]);
      }
    }
    return types.length == 0 ? NONE : new Amount(types, numbers);
  }

  /**
   * The three amounts that every node reports.
   *
   * @param cpuMilli thousandths of a core
   * @param memoryBytes bytes
   * @param gpuMilli thousandths of a device
   */
  public static Amount of(long cpuMilli, long memoryBytes, long gpuMilli) {
    return of(
        Map.of(
            ResourceType.CPU, cpuMilli,
            ResourceType.MEMORY, memoryBytes,
            ResourceType.GPU, gpuMilli));
  }

  /** How much of a type, in its unit; 0 if it is not named. */
  public long get(ResourceType type) {
    int at = Arrays.binarySearch(types, type);
    return at < 0 ? 0 : values[at];
  }

  /**
   * How much of a type there is in all: for {@link ResourceType#GPU} and {@link
   * ResourceType#GPU_MEMORY} the sum over the devices of a node, else as {@link #get}.
   */
  public long total(ResourceType type) {
    long named = get(type);
    if (named > 0) {
      return named;
    }
    if (type.equals(ResourceType.GPU)) {
      return GpuDevices.in(this).totalShare();
    }
    return type.equals(ResourceType.GPU_MEMORY) ? GpuDevices.in(this).totalMemory() : 0;
  }

  /** Every type that is more than zero, in order of name. */
  public SortedMap<ResourceType, Long> asMap() {
    SortedMap<ResourceType, Long> map = new TreeMap<>();
    for (int i = 0; i < types.length; i++) {
      map.put(types[i], values[i]);
    }
    return map;
  }

  /** Whether nothing is named. */
  public boolean isNone() {
    return types.length == 0;
  }

  /** Whether there is at least as much of every type as {@code wanted} names. */
  public boolean covers(Amount wanted) {
    return allocate(wanted).isPresent();
  }

  /** The first type, by name, of which there is less than {@code wanted} names. */
  public Optional<ResourceType> lacking(Amount wanted) {
    for (int i = 0; i < wanted.types.length; i++) {
      ResourceType type = wanted.types[i];
      if (!isOfDevices(type) && get(type) < wanted.values[i]) {
        return Optional.of(type);
      }
    }
    long share = wanted.get(ResourceType.GPU);
    if (share == 0 || GpuDevices.in(this).take(share, wanted.gpuMemory()).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        GpuDevices.in(this).available(share) < share ? ResourceType.GPU : ResourceType.GPU_MEMORY);
  }

  /** How much of a type can be given to a demand that names so much of it. */
  long available(ResourceType type, Amount wanted) {
    if (!isOfDevices(type)) {
      return get(type);
    }
    GpuDevices devices = GpuDevices.in(this);
    long share = wanted.get(ResourceType.GPU);
    return type.equals(ResourceType.GPU)
        ? devices.available(share)
        : devices.availableMemory(share);
  }

  /**
   * What a demand takes of this: the same amounts, with graphics processors named by device.
   *
   * @return empty if there is less than wanted
   */
  public Optional<Amount> allocate(Amount wanted) {
    boolean devices = false;
    for (int i = 0; i < wanted.types.length; i++) {
      if (isOfDevices(wanted.types[i])) {
        devices = true;
      } else if (get(wanted.types[i]) < wanted.values[i]) {
        return Optional.empty();
      }
    }
    if (!devices) {
      return Optional.of(wanted);
    }
    return GpuDevices.in(this)
        .take(wanted.get(ResourceType.GPU), wanted.gpuMemory())
        .map(
            taken -> {
              Map<ResourceType, Long> all = wanted.asMap();
              all.remove(ResourceType.GPU);
              all.remove(ResourceType.GPU_MEMORY);
              all.putAll(taken);
              return of(all);
            });
  }

  private long gpuMemory() {
    return get(ResourceType.GPU_MEMORY);
  }

  private static boolean isOfDevices(ResourceType type) {
    return type.equals(ResourceType.GPU) || type.equals(ResourceType.GPU_MEMORY);
  }

  /** The sum. */
  public Amount plus(Amount other) {
    return combine(other, 1, false);
  }

  /**
   * The difference.
   *
   * @throws IllegalArgumentException if it would be negative in a type
   */
  public Amount minus(Amount other) {
    return combine(other, -1, false);
  }

  /** The difference, with zero where it would be negative. */
  public Amount minusAtMost(Amount other) {
    return combine(other, -1, true);
  }

  private Amount combine(Amount other, int sign, boolean clamp) {
    Map<ResourceType, Long> result = asMap();
    for (int i = 0; i < other.types.length; i++) {
      long value = Math.addExact(get(other.types[i]), sign * other.values[i]);
      result.put(other.types[i], clamp ? Math.max(0, value) : value);
    }
    return of(result);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Amount amount
        && Arrays.equals(types, amount.types)
        && Arrays.equals(values, amount.values);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(types) + Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return asMap().toString();
  }
}
