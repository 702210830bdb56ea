package dev.weft.agent.probe;

import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.inventory.Probe;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Finds the processors from {@code /proc/cpuinfo} and {@code /proc/loadavg}, see proc(5). */
final class CpuProbe implements Probe {
  private static final double UNKNOWN = -1;
  // Implementers as in Arm's MIDR register, named as lscpu(1) of util-linux does.
  private static final Map<String, String> IMPLEMENTERS =
      Map.of(
          "0x41", "ARM",
          "0x42", "Broadcom",
          "0x43", "Cavium",
          "0x46", "Fujitsu",
          "0x48", "HiSilicon",
          "0x4e", "NVIDIA",
          "0x50", "APM",
          "0x51", "Qualcomm",
          "0x61", "Apple",
          "0xc0", "Ampere");

  private final SystemFiles files;
  private final String architecture;

  /**
   * A probe of this machine.
   *
   * @param root {@code /} but for tests
   * @param architecture as the operating system names it
   */
  CpuProbe(Path root, String architecture) {
    this.files = new SystemFiles(root);
    this.architecture = architecture;
  }

  @Override
  public String name() {
    return "cpu";
  }

  @Override
  public Inventory look() {
    return new Inventory(
        List.of(
            new Device.Cpu(
                architecture,
                model(files.text("proc/cpuinfo").orElse("")),
                Runtime.getRuntime().availableProcessors(),
                load(files.text("proc/loadavg").orElse("")))),
        List.of());
  }

  /** The name of the model. On Arm there often is none, then what the numbers say. */
  static String model(String information) {
    for (String key : List.of("model name", "Model", "Hardware", "cpu model", "cpu")) {
      var named = Values.line(information, key, ":");
      if (named.isPresent()) {
        return named.get();
      }
    }
    return Values.line(information, "CPU implementer", ":")
        .map(code -> IMPLEMENTERS.getOrDefault(code, "implementer " + code))
        .map(
            implementer ->
                implementer
                    + " part "
                    + Values.line(information, "CPU part", ":").orElse("not known"))
        .orElse("not known");
  }

  /** The load of the last minute; negative if not known. */
  static double load(String text) {
    try {
      return Double.parseDouble(text.strip().split(" ", 2)[0]);
    } catch (NumberFormatException e) {
      return UNKNOWN;
    }
  }
}
