package dev.weft.api;

import java.util.Arrays;
import java.util.Optional;

/**
 * The graphics processors in an amount, and which of them a demand takes: a share lies on the
 * device with the least share left that still has room for it, whole devices are taken by number.
 * So small shares fill devices that are in use already and leave whole ones whole.
 */
final class GpuDevices {
  private static final long WHOLE = 1_000;

  // In order of number; arrays because placement looks at them several times per decision.
  private int count;
  private final int[] numbers;
  private final long[] shares;
  private final long[] memories;

  private GpuDevices(int most) {
    numbers = new int[most];
    shares = new long[most];
    memories = new long[most];
  }

  /** The devices among some types, which are in order of name. */
  static GpuDevices in(ResourceType[] types, long[] values) {
    GpuDevices devices = new GpuDevices(types.length);
    for (int i = 0; i < types.length; i++) {
      int number = types[i].gpuDevice();
      if (number >= 0) {
        devices.add(number, values[i], memory(number, i + 1, types, values));
      }
    }
    return devices;
  }

  /** The memory of a device; its name follows closely that of the device. */
  private static long memory(int number, int from, ResourceType[] types, long[] values) {
    ResourceType memory = ResourceType.gpuMemory(number);
    for (int i = from; i < types.length; i++) {
      int order = types[i].compareTo(memory);
      if (order >= 0) {
        return order == 0 ? values[i] : 0;
      }
    }
    return 0;
  }

  private void add(int number, long share, long memory) {
    int at = count++;
    while (at > 0 && numbers[at - 1] > number) {
      numbers[at] = numbers[at - 1];
      shares[at] = shares[at - 1];
      memories[at] = memories[at - 1];
      at--;
    }
    numbers[at] = number;
    shares[at] = share;
    memories[at] = memory;
  }

  private boolean has(int at, long wantedShare, long wantedMemory) {
    return shares[at] >= wantedShare && memories[at] >= wantedMemory;
  }

  /** Whether there are devices enough for a demand ({@link #take}). */
  boolean fits(long share, long memory) {
    long each = Math.min(share, WHOLE);
    long missing = wholeDevices(share);
    for (int i = 0; i < count && missing > 0; i++) {
      if (has(i, each, memory)) {
        missing--;
      }
    }
    return missing <= 0;
  }

  /**
   * What a demand takes, named by device.
   *
   * @param share thousandths: up to 1,000 of one device, more in whole devices
   * @param memory of each device taken, in bytes
   * @return empty if there are not enough devices with as much
   */
  Optional<Taken> take(long share, long memory) {
    if (!fits(share, memory)) {
      return Optional.empty();
    }
    if (share <= 0) {
      return Optional.of(new Taken(new int[0], 0, new long[0]));
    }
    return Optional.of(share < WHOLE ? takePart(share, memory) : takeWhole(share, memory));
  }

  private Taken takePart(long share, long memory) {
    int best = -1;
    for (int i = 0; i < count; i++) {
      if (has(i, share, memory) && (best < 0 || shares[i] < shares[best])) {
        best = i;
      }
    }
    return new Taken(new int[] {numbers[best]}, share, new long[] {memory});
  }

  private Taken takeWhole(long share, long memory) {
    int[] chosen = new int[Math.toIntExact(wholeDevices(share))];
    long[] all = new long[chosen.length];
    int at = 0;
    for (int i = 0; i < count && at < chosen.length; i++) {
      if (has(i, WHOLE, memory)) {
        chosen[at] = numbers[i];
        all[at++] = memories[i]; // who has a whole device has all of its memory
      }
    }
    return new Taken(chosen, WHOLE, all);
  }

  /** How many devices a share lies on. */
  private static long wholeDevices(long share) {
    return share <= 0 ? 0 : (share - 1) / WHOLE + 1;
  }

  /**
   * Devices given to a demand.
   *
   * @param numbers which
   * @param share of each
   * @param memories of each
   */
  @SuppressWarnings("ArrayRecordComponent") // handed over at once, never compared or kept
  record Taken(int[] numbers, long share, long[] memories) {}

  /** The most that one device has free; for whole devices, all that are free together. */
  long available(long share) {
    if (share < WHOLE) {
      return Arrays.stream(shares, 0, count).max().orElse(0);
    }
    return Arrays.stream(shares, 0, count).filter(free -> free >= WHOLE).count() * WHOLE;
  }

  /** The memory of the best device that has such a share free. */
  long availableMemory(long share) {
    long each = Math.min(share, WHOLE);
    long most = 0;
    for (int i = 0; i < count; i++) {
      if (shares[i] >= each) {
        most = Math.max(most, memories[i]);
      }
    }
    return most;
  }
}
