package dev.weft.api;

import java.util.Objects;
import java.util.regex.Pattern;

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

  /** Checks the form of the name. */
  public ResourceType {
    Objects.requireNonNull(name, "name");
    if (!FORM.matcher(name).matches()) {
      throw new IllegalArgumentException("not a resource type: '" + name + "'");
    }
  }

  /** One graphics processor of a node, in thousandths. */
  public static ResourceType gpu(int device) {
    return new ResourceType(GPU + "." + device);
  }

  /** The memory of one graphics processor of a node, in bytes. */
  public static ResourceType gpuMemory(int device) {
    return new ResourceType(GPU + "." + device + ".memory");
  }

  @Override
  public int compareTo(ResourceType other) {
    return name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
