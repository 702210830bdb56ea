package dev.weft.api.inventory;

import java.util.Objects;
import java.util.OptionalLong;

/** One thing that a probe found. Closed: a new kind raises the major version of this package. */
public sealed interface Device {
  /**
   * The processors.
   *
   * @param architecture as the operating system names it, such as {@code aarch64}
   * @param model name of the model
   * @param logicalCores hardware threads that may be used
   * @param load average number of runnable threads over the last minute; negative if not known
   */
  record Cpu(String architecture, String model, int logicalCores, double load) implements Device {
    /** Checks. */
    public Cpu {
      Objects.requireNonNull(architecture, "architecture");
      Objects.requireNonNull(model, "model");
      if (logicalCores < 1) {
        throw new IllegalArgumentException("logical cores must be at least 1: " + logicalCores);
      }
    }
  }

  /**
   * Main memory, in bytes.
   *
   * @param total installed
   * @param available what programs could get now without swapping
   * @param limit limit of the control group of the agent, if there is one
   */
  record Memory(long total, long available, OptionalLong limit) implements Device {
    /** Checks. */
    public Memory {
      Objects.requireNonNull(limit, "limit");
      if (total < 0 || available < 0 || limit.orElse(0) < 0) {
        throw new IllegalArgumentException("memory must not be negative");
      }
    }

    /** What may be used at most: the installed memory or the limit, whichever is less. */
    public long usable() {
      return Math.min(total, limit.orElse(total));
    }
  }

  /**
   * The file system of the work folder, in bytes.
   *
   * @param total size
   * @param free what the agent may still write
   */
  record Disk(long total, long free) implements Device {}

  /**
   * The operating system.
   *
   * @param name such as {@code Debian GNU/Linux}
   * @param version such as {@code 12}
   * @param kernel version of the kernel
   */
  record OperatingSystem(String name, String version, String kernel) implements Device {
    /** Checks. */
    public OperatingSystem {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(version, "version");
      Objects.requireNonNull(kernel, "kernel");
    }
  }

  /**
   * One graphics processor.
   *
   * @param id stable name on this node: the UUID that NVIDIA gives, else the PCI address
   * @param vendor such as {@code NVIDIA}
   * @param model name of the model
   * @param memory its own memory, in bytes; 0 if not known
   * @param driver driver and version; empty if not known
   */
  record Gpu(String id, String vendor, String model, long memory, String driver) implements Device {
    /** Checks. */
    public Gpu {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(vendor, "vendor");
      Objects.requireNonNull(model, "model");
      Objects.requireNonNull(driver, "driver");
    }
  }
}
