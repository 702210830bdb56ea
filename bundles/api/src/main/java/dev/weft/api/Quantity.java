package dev.weft.api;

import java.util.Locale;

/** Shows amounts to people in the units they think in. */
public final class Quantity {
  private static final String[] BINARY = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

  private Quantity() {}

  /** An amount with its type, such as {@code 1.5 cpu} or {@code 512 MiB memory}. */
  public static String show(ResourceType type, long value) {
    return format(type, value) + " " + type;
  }

  /** An amount without its type: cores and devices as decimals, memory in binary units. */
  public static String format(ResourceType type, long value) {
    if (type.equals(ResourceType.CPU) || type.equals(ResourceType.GPU) || type.isGpuDevice()) {
      return trim(value / 1000.0, 3);
    }
    boolean inBytes =
        type.equals(ResourceType.MEMORY)
            || type.equals(ResourceType.GPU_MEMORY)
            || type.isGpuDeviceMemory();
    return inBytes ? bytes(value) : Long.toString(value);
  }

  /** A number of bytes in the largest binary unit that leaves at least 1, such as 1.5 GiB. */
  public static String bytes(long value) {
    double scaled = value;
    int unit = 0;
    while (scaled >= 1024 && unit < BINARY.length - 1) {
      scaled /= 1024;
      unit++;
    }
    return trim(scaled, 1) + " " + BINARY[unit];
  }

  private static String trim(double value, int decimals) {
    String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
    return text.replaceAll("\\.?0+$", "");
  }
}
