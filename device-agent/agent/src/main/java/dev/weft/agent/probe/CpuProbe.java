package dev.weft.agent.probe;

import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.inventory.Probe;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/**
 * Finds the processors from {@code /proc/cpuinfo} and {@code /proc/loadavg}, see proc(5), and what
 * the control group allows of them.
 */
final class CpuProbe implements Probe {
  private static final double UNKNOWN = -1;
  private static final Pattern PROCESSOR = Pattern.compile("processor\\s*:");
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
  private final ControlGroups groups;
  private final String architecture;
  private final IntSupplier usable;

  /**
   * A probe of this machine.
   *
   * @param root {@code /} but for tests
   * @param architecture as the operating system names it
   * @param usable how many processors this JVM may use: it counts those that its affinity and its
   *     control group allow, and rounds a part of one up
   */
  CpuProbe(Path root, String architecture, IntSupplier usable) {
    this.files = new SystemFiles(root);
    this.groups = new ControlGroups(files);
    this.architecture = architecture;
    this.usable = usable;
  }

  @Override
  public String name() {
    return "cpu";
  }

  @Override
  public Inventory look() {
    String information = files.text("proc/cpuinfo").orElse("");
    Device cpu =
        new Device.Cpu(
            architecture,
            model(information),
            usable.getAsInt(),
            load(files.text("proc/loadavg").orElse("")));
    return new Inventory(List.of(cpu), limitNote(installed(information)));
  }

  /** Says so if the control group allows less than is installed. */
  private List<String> limitNote(long installed) {
    OptionalDouble limit = limit();
    return limit.isPresent() && limit.getAsDouble() < installed
        ? List.of(
            String.format(
                Locale.ROOT,
                "the control group allows %.2f of %d logical cores",
                limit.getAsDouble(),
                installed))
        : List.of();
  }

  /**
   * The least number of processors along the path of groups: {@code cpu.max} of version 2 is "quota
   * period" or "max period", version 1 has a file for each, with a quota of -1 for none.
   */
  private OptionalDouble limit() {
    DoubleStream two =
        groups.versionTwo().stream()
            .flatMap(folder -> files.value(folder + "/cpu.max").stream())
            .map(text -> text.split(" ", 2))
            .flatMapToDouble(parts -> share(parts[0], parts.length > 1 ? parts[1] : ""));
    DoubleStream one =
        groups.versionOne("cpu").stream()
            .flatMapToDouble(
                folder ->
                    share(
                        files.value(folder + "/cpu.cfs_quota_us").orElse(""),
                        files.value(folder + "/cpu.cfs_period_us").orElse("")));
    return DoubleStream.concat(two, one).min();
  }

  private static DoubleStream share(String quota, String period) {
    OptionalLong part = Values.number(quota);
    OptionalLong whole = Values.number(period);
    return part.isPresent() && whole.orElse(0) > 0
        ? DoubleStream.of((double) part.getAsLong() / whole.getAsLong())
        : DoubleStream.empty();
  }

  /** How many logical processors {@code cpuinfo} lists; on x86 and Arm each has such a line. */
  static long installed(String information) {
    return information.lines().filter(line -> PROCESSOR.matcher(line).lookingAt()).count();
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
