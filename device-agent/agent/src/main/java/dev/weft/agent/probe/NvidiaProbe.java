package dev.weft.agent.probe;

import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.inventory.Probe;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Finds the graphics processors of NVIDIA by {@code nvidia-smi}, which comes with the driver. The
 * form is that of {@code --query-gpu} with {@code --format=csv,noheader,nounits}; see {@code
 * nvidia-smi --help-query-gpu}. Memory is in MiB.
 */
final class NvidiaProbe implements Probe {
  private static final List<String> COMMAND =
      List.of(
          "nvidia-smi",
          "--query-gpu=index,uuid,name,memory.total,driver_version",
          "--format=csv,noheader,nounits");
  private static final Duration LIMIT = Duration.ofSeconds(3);
  private static final int MAXIMUM_OUTPUT = 64 * 1024;
  private static final int MAXIMUM_DEVICES = 64;
  private static final int MAXIMUM_NOTE = 160;
  private static final int FIELDS = 5;
  private static final long MEBIBYTE = 1L << 20;

  private final List<String> command;

  /** A probe of this machine. */
  NvidiaProbe() {
    this(COMMAND);
  }

  /** A probe that runs another command, for tests. */
  NvidiaProbe(List<String> command) {
    this.command = List.copyOf(command);
  }

  @Override
  public String name() {
    return "gpu.nvidia";
  }

  @Override
  public Inventory look() throws IOException, InterruptedException {
    // A file and not a pipe: nothing blocks, whatever the program does or leaves behind.
    Path output = Files.createTempFile("weft-nvidia", ".txt");
    try {
      Process process;
      try {
        process =
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(Redirect.to(output.toFile()))
                .start();
      } catch (IOException absent) {
        return note("no nvidia-smi here, so no NVIDIA graphics processors are offered");
      }
      try {
        if (!process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
          return note("nvidia-smi did not answer within " + LIMIT.toSeconds() + " s");
        }
      } finally {
        process.destroyForcibly();
      }
      try (InputStream in = Files.newInputStream(output)) {
        String text = new String(in.readNBytes(MAXIMUM_OUTPUT), StandardCharsets.UTF_8);
        return parse(process.exitValue(), text);
      }
    } finally {
      Files.deleteIfExists(output);
    }
  }

  /** What the output means. */
  static Inventory parse(int exitCode, String output) {
    if (exitCode != 0) {
      return note(
          "nvidia-smi ended with code " + exitCode + ": " + output.strip().replaceAll("\\s+", " "));
    }
    List<Device> devices = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (String line : output.lines().filter(line -> !line.isBlank()).toList()) {
      Optional<Device> device = device(line);
      if (device.isPresent() && devices.size() < MAXIMUM_DEVICES) {
        devices.add(device.get());
      } else if (notes.isEmpty()) {
        notes.add(shortened("nvidia-smi said what is not understood: " + line.strip()));
      }
    }
    if (devices.isEmpty() && notes.isEmpty()) {
      notes.add("nvidia-smi found no graphics processor");
    }
    return new Inventory(devices, notes);
  }

  private static Optional<Device> device(String line) {
    String[] fields = line.split(",", -1);
    if (fields.length != FIELDS || !fields[1].strip().startsWith("GPU-")) {
      return Optional.empty();
    }
    // On devices that share the main memory the size is "[N/A]".
    OptionalLong memory = Values.number(fields[3]);
    return Optional.of(
        new Device.Gpu(
            fields[1].strip(),
            "NVIDIA",
            fields[2].strip(),
            memory.orElse(0) > Long.MAX_VALUE / MEBIBYTE ? 0 : memory.orElse(0) * MEBIBYTE,
            known(fields[4].strip())));
  }

  private static String known(String driver) {
    return driver.isEmpty() || driver.startsWith("[") ? "" : "nvidia " + driver;
  }

  private static Inventory note(String text) {
    return new Inventory(List.of(), List.of(shortened(text)));
  }

  private static String shortened(String text) {
    return text.length() > MAXIMUM_NOTE ? text.substring(0, MAXIMUM_NOTE) : text;
  }
}
