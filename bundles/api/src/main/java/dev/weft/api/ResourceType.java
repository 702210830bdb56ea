package dev.weft.api;

import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A countable resource of a node. Each type has one unit, in which every amount is a whole number.
 *
 * @param name lower-case letters, digits, dots and hyphens, at most 40 characters
 */
public record ResourceType(String name) implements Comparable<ResourceType> {
  // First, because the constants below are checked against it.
  private static final Pattern FORM = Pattern.compile("[a-z][a-z0-9.-]{0,39}");

  /** Processor time, in thousandths of a logical core. */
  public static final ResourceType CPU = new ResourceType("cpu");

  /** Memory, in bytes. */
  public static final ResourceType MEMORY = new ResourceType("memory");

  /**
   * Graphics processors, in thousandths of one device. Only demands name it: a node names its
   * devices one by one ({@link #gpu}), because a share must lie on one device.
   */
  public static final ResourceType GPU = new ResourceType("gpu");

  /** Memory of each graphics processor that a demand takes, in bytes. Only demands name it. */
  public static final ResourceType GPU_MEMORY = new ResourceType("gpu.memory");

  private static final Pattern COUNTER =
      Pattern.compile("(?!(cpu|memory|gpu)$)[a-z][a-z0-9-]{0,39}");
  private static final String DEVICE = "gpu.";
  private static final String DEVICE_MEMORY = ".memory";
  private static final int MAXIMUM_DIGITS = 4;

  // Amounts name devices all the time: these are made once, and every amount shares them.
  private static final int SHARED_DEVICES = 32;
  private static final ResourceType[] SHARES =
      IntStream.range(0, SHARED_DEVICES)
          .mapToObj(device -> new ResourceType(DEVICE + device))
          .toArray(ResourceType[]::new);
  private static final ResourceType[] MEMORIES =
      IntStream.range(0, SHARED_DEVICES)
          .mapToObj(device -> new ResourceType(DEVICE + device + DEVICE_MEMORY))
          .toArray(ResourceType[]::new);

  /** Checks the form of the name. */
  public ResourceType {
    Objects.requireNonNull(name, "name");
    if (!FORM.matcher(name).matches()) {
      throw new IllegalArgumentException("not a resource type: '" + name + "'");
    }
  }

  /** One graphics processor of a node, in thousandths. */
  public static ResourceType gpu(int device) {
    return device >= 0 && device < SHARED_DEVICES
        ? SHARES[device]
        : new ResourceType(DEVICE + device);
  }

  /** The memory of one graphics processor of a node, in bytes. */
  public static ResourceType gpuMemory(int device) {
    return device >= 0 && device < SHARED_DEVICES
        ? MEMORIES[device]
        : new ResourceType(DEVICE + device + DEVICE_MEMORY);
  }

  /**
   * Whether a name may be that of a counter: something of which nodes have a number, and of which
   * only their operators know what it is.
   */
  public static boolean isCounter(String name) {
    return COUNTER.matcher(name).matches();
  }

  /** Whether this is one graphics processor of a node ({@link #gpu}). */
  public boolean isGpuDevice() {
    return gpuDevice() >= 0;
  }

  /** Whether this is the memory of one graphics processor of a node ({@link #gpuMemory}). */
  public boolean isGpuDeviceMemory() {
    return name.endsWith(DEVICE_MEMORY) && number(name.length() - DEVICE_MEMORY.length()) >= 0;
  }

  /** The number of the graphics processor that this is; negative if it is none. */
  int gpuDevice() {
    return number(name.length());
  }

  /** The number between the prefix of devices and {@code end}; negative if there is none. */
  private int number(int end) {
    int digits = end - DEVICE.length();
    if (digits < 1 || digits > MAXIMUM_DIGITS || !name.startsWith(DEVICE)) {
      return -1;
    }
    int number = 0;
    for (int i = DEVICE.length(); i < end; i++) {
      char c = name.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      number = 10 * number + c - '0';
    }
    boolean leadingZero = digits > 1 && name.charAt(DEVICE.length()) == '0';
    return leadingZero ? -1 : number;
  }

  /** The object that all amounts share for this type, if there is one. */
  ResourceType shared() {
    if (equals(CPU)) {
      return CPU;
    }
    if (equals(MEMORY)) {
      return MEMORY;
    }
    int device = gpuDevice();
    if (device >= 0) {
      return device < SHARED_DEVICES ? SHARES[device] : this;
    }
    int memory = isGpuDeviceMemory() ? number(name.length() - DEVICE_MEMORY.length()) : -1;
    return memory >= 0 && memory < SHARED_DEVICES ? MEMORIES[memory] : this;
  }

  @Override
  public int compareTo(ResourceType other) {
    return this == other ? 0 : name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
