package dev.weft.api;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;

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
    Builder builder = new Builder(values.size());
    values.forEach((type, value) -> builder.insert(type.shared(), value));
    return builder.build(NONE);
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
    for (int i = 0; i < types.length; i++) { // there are few: no search by half
      if (types[i].equals(type)) {
        return values[i];
      }
    }
    return 0;
  }

  /**
   * How much of a type there is in all: for {@link ResourceType#GPU} and {@link
   * ResourceType#GPU_MEMORY} the sum over the devices of a node, else as {@link #get}.
   */
  public long total(ResourceType type) {
    long named = get(type);
    if (named > 0 || !isOfDevices(type)) {
      return named;
    }
    boolean share = type.equals(ResourceType.GPU);
    long sum = 0;
    for (int i = 0; i < types.length; i++) {
      // Memory counts where a share of the device is left.
      if (types[i].isGpuDevice()) {
        sum += share ? values[i] : get(ResourceType.gpuMemory(types[i].gpuDevice()));
      }
    }
    return sum;
  }

  /** Visits every type that is more than zero, in order of name. */
  public void forEach(ObjLongConsumer<ResourceType> visitor) {
    for (int i = 0; i < types.length; i++) {
      visitor.accept(types[i], values[i]);
    }
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
    return plainLack(wanted) < 0 && coversDevices(wanted);
  }

  private boolean coversDevices(Amount wanted) {
    long share = wanted.get(ResourceType.GPU);
    return share == 0 || devices().fits(share, wanted.get(ResourceType.GPU_MEMORY));
  }

  /** The place of the first type in {@code wanted}, but devices, of which there is less here. */
  private int plainLack(Amount wanted) {
    for (int i = 0; i < wanted.types.length; i++) {
      ResourceType type = wanted.types[i];
      if (!isOfDevices(type) && get(type) < wanted.values[i]) {
        return i;
      }
    }
    return -1;
  }

  /** The first type, by name, of which there is less than {@code wanted} names. */
  public Optional<ResourceType> lacking(Amount wanted) {
    int plain = plainLack(wanted);
    if (plain >= 0) {
      return Optional.of(wanted.types[plain]);
    }
    if (coversDevices(wanted)) {
      return Optional.empty();
    }
    long share = wanted.get(ResourceType.GPU);
    return Optional.of(
        devices().available(share) < share ? ResourceType.GPU : ResourceType.GPU_MEMORY);
  }

  private GpuDevices devices() {
    return GpuDevices.in(types, values);
  }

  /**
   * How much of a type can be given to a demand: of graphics processors the most that one device
   * has, or all whole ones together, and the memory of the best device that has the share wanted.
   */
  public long available(ResourceType type, Amount wanted) {
    if (!isOfDevices(type)) {
      return get(type);
    }
    long share = wanted.get(ResourceType.GPU);
    return type.equals(ResourceType.GPU)
        ? devices().available(share)
        : devices().availableMemory(share);
  }

  /**
   * What a demand takes of this: the same amounts, with graphics processors named by device.
   *
   * @return empty if there is less than wanted
   */
  public Optional<Amount> allocate(Amount wanted) {
    if (plainLack(wanted) >= 0) {
      return Optional.empty();
    }
    long share = wanted.get(ResourceType.GPU);
    if (share == 0 && wanted.get(ResourceType.GPU_MEMORY) == 0) {
      return Optional.of(wanted);
    }
    return devices().take(share, wanted.get(ResourceType.GPU_MEMORY)).map(wanted::withDevices);
  }

  /** The same amount with devices in place of how much of them. */
  private Amount withDevices(GpuDevices.Taken taken) {
    int count = taken.numbers().length;
    Builder builder = new Builder(types.length + 2 * count);
    for (int i = 0; i < types.length; i++) {
      if (!isOfDevices(types[i])) {
        builder.append(types[i], values[i]);
      }
    }
    for (int i = 0; i < count; i++) {
      builder.insert(ResourceType.gpu(taken.numbers()[i]), taken.share());
      builder.insert(ResourceType.gpuMemory(taken.numbers()[i]), taken.memories()[i]);
    }
    return builder.build(NONE);
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
    Builder builder = new Builder(types.length + other.types.length);
    int mine = 0;
    int theirs = 0;
    while (mine < types.length || theirs < other.types.length) {
      int order =
          mine == types.length
              ? 1
              : theirs == other.types.length ? -1 : types[mine].compareTo(other.types[theirs]);
      ResourceType type = order <= 0 ? types[mine] : other.types[theirs];
      long value = order <= 0 ? values[mine++] : 0;
      if (order >= 0) {
        value = Math.addExact(value, sign * other.values[theirs++]);
      }
      builder.append(type, clamp ? Math.max(0, value) : value);
    }
    return builder.build(this);
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

  /** Collects an amount in order of type, without zeros. */
  private static final class Builder {
    private final ResourceType[] types;
    private final long[] values;
    private int size;

    Builder(int most) {
      types = new ResourceType[most];
      values = new long[most];
    }

    /** Adds a type that comes after all others. */
    void append(ResourceType type, long value) {
      if (value < 0) {
        throw new IllegalArgumentException(type + " must not be negative: " + value);
      }
      if (value > 0) {
        types[size] = type;
        values[size++] = value;
      }
    }

    /** Adds a type where it belongs. */
    void insert(ResourceType type, long value) {
      append(type, value);
      if (value == 0) {
        return;
      }
      int at = size - 1;
      while (at > 0 && types[at - 1].compareTo(type) > 0) {
        types[at] = types[at - 1];
        values[at] = values[at - 1];
        at--;
      }
      types[at] = type;
      values[at] = value;
    }

    /** The amount; shares the types of a like one, as most amounts of a node have the same. */
    Amount build(Amount like) {
      if (size == 0) {
        return NONE;
      }
      boolean same =
          like.types.length == size && Arrays.equals(types, 0, size, like.types, 0, size);
      return new Amount(
          same ? like.types : Arrays.copyOf(types, size), Arrays.copyOf(values, size));
    }
  }
}
