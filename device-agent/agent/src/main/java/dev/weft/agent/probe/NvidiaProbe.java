package dev.weft.agent.probe;

import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.inventory.Probe;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** NVIDIA's graphics processors, from the query output of {@code nvidia-smi}. */
@Component(property = "weft.probe.period.ms:Long=30000")
public final class NvidiaProbe implements Probe {
  private static final List<String> COMMAND =
      List.of(
          "nvidia-smi",
          "--query-gpu=uuid,name,memory.total,driver_version",
          "--format=csv,noheader,nounits");
  private static final int FIELDS = 4;
  private static final int MAXIMUM_OUTPUT = 1 << 16;
  private static final int MAXIMUM_MESSAGE = 200;
  private static final long LIMIT_SECONDS = 4;

  private final List<String> command;

  /** Made by the framework. */
  @Activate
  public NvidiaProbe() {
    this(COMMAND);
  }

  NvidiaProbe(List<String> command) {
    this.command = command;
  }

  @Override
  public String name() {
    return "gpu.nvidia";
  }

  @Override
  public Inventory look() throws IOException, InterruptedException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      return note("no NVIDIA GPU can be asked for: nvidia-smi is not installed");
    }
    try (InputStream out = process.getInputStream()) {
      process.getOutputStream().close();
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        return note("nvidia-smi gave no answer within " + LIMIT_SECONDS + " s");
      }
      String text = new String(out.readNBytes(MAXIMUM_OUTPUT), StandardCharsets.UTF_8);
      return parse(text, process.exitValue());
    } finally {
      process.destroyForcibly();
    }
  }

  /** Reads the answer: a line per device, or what is wrong with an exit code that is not 0. */
  static Inventory parse(String output, int exitCode) {
    if (exitCode != 0) {
      return note("nvidia-smi failed with exit code " + exitCode + ": " + brief(output));
    }
    List<Device> gpus = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (String line : output.lines().map(String::strip).filter(l -> !l.isEmpty()).toList()) {
      String[] fields = line.split("\\s*,\\s*", -1);
      if (fields.length == FIELDS && fields[0].startsWith("GPU-")) {
        gpus.add(
            new Device.Gpu(
                fields[0], "NVIDIA", fields[1], mebibytes(fields[2]), driver(fields[3])));
      } else {
        notes.add("nvidia-smi said: " + brief(line));
      }
    }
    return new Inventory(gpus, notes);
  }

  /** Devices that share the machine's memory have none of their own: {@code [N/A]}. */
  private static long mebibytes(String text) {
    return text.matches("\\d{1,9}") ? Long.parseLong(text) << 20 : 0;
  }

  private static String driver(String version) {
    return version.startsWith("[") ? "" : "nvidia " + version;
  }

  private static String brief(String text) {
    String line = text.strip().lines().findFirst().orElse("nothing");
    return line.substring(0, Math.min(line.length(), MAXIMUM_MESSAGE));
  }

  private static Inventory note(String text) {
    return new Inventory(List.of(), List.of(text));
  }
}
