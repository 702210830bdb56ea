package dev.weft.api;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The graphics processors in an amount, and which of them a demand takes: a share lies on the
 * device with the least share left that still has room for it, whole devices are taken by number.
 * So small shares fill devices that are in use already and leave whole ones whole.
 */
record GpuDevices(List<Device> devices) {
  private static final Pattern SHARE = Pattern.compile("gpu\\.(0|[1-9][0-9]{0,3})");
  private static final long WHOLE = 1_000;

  /** One device: what of it is there. */
  record Device(int number, long share, long memory) {
    private boolean has(long wantedShare, long wantedMemory) {
      return share >= wantedShare && memory >= wantedMemory;
    }
  }

  /** The devices that an amount names, in order of name. */
  static GpuDevices in(Amount amount) {
    List<Device> devices = new ArrayList<>();
    for (Map.Entry<ResourceType, Long> entry : amount.asMap().entrySet()) {
      Matcher matcher = SHARE.matcher(entry.getKey().name());
      if (matcher.matches()) {
        int number = Integer.parseInt(matcher.group(1));
        long memory = amount.get(ResourceType.gpuMemory(number));
        devices.add(new Device(number, entry.getValue(), memory));
      }
    }
    return new GpuDevices(devices);
  }

  /**
   * What a demand takes, named by device.
   *
   * @param share thousandths: up to 1,000 of one device, more in whole devices
   * @param memory of each device taken, in bytes
   * @return empty if there are not enough devices with as much
   */
  Optional<Map<ResourceType, Long>> take(long share, long memory) {
    boolean part = share < WHOLE;
    long each = part ? share : WHOLE;
    List<Device> fitting = new ArrayList<>();
    for (Device device : devices) {
      if (device.has(each, memory)) {
        fitting.add(device);
      }
    }
    int count = Math.toIntExact((share + each - 1) / each);
    if (fitting.size() < count) {
      return Optional.empty();
    }
    fitting.sort(
        part
            ? Comparator.comparingLong(Device::share).thenComparingInt(Device::number)
            : Comparator.comparingInt(Device::number));
    Map<ResourceType, Long> taken = new HashMap<>();
    for (Device device : fitting.subList(0, count)) {
      taken.put(ResourceType.gpu(device.number()), each);
      // Who has a whole device has all of its memory.
      taken.put(ResourceType.gpuMemory(device.number()), part ? memory : device.memory());
    }
    return Optional.of(taken);
  }

  /** The most that one device has free; for whole devices, all that are free together. */
  long available(long share) {
    if (share < WHOLE) {
      return devices.stream().mapToLong(Device::share).max().orElse(0);
    }
    return devices.stream().filter(device -> device.share() >= WHOLE).count() * WHOLE;
  }

  /** The memory of the best device that has such a share free. */
  long availableMemory(long share) {
    long each = Math.min(share, WHOLE);
    return devices.stream()
        .filter(device -> device.share() >= each)
        .mapToLong(Device::memory)
        .max()
        .orElse(0);
  }

  long totalShare() {
    return devices.stream().mapToLong(Device::share).sum();
  }

  long totalMemory() {
    return devices.stream().mapToLong(Device::memory).sum();
  }
}
