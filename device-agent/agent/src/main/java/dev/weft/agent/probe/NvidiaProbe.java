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
 *
 * <p>A processor that is split into instances (MIG) cannot be used as a whole, and its instances
 * are no processors of their own here yet: it is not listed, and a note says so. Drivers before 450
 * do not know of MIG and refuse the question; they are asked again without it.
 */
final class NvidiaProbe implements Probe {
  private static final String PROGRAM = "nvidia-smi";
  private static final String QUERY = "--query-gpu=index,uuid,name,memory.total,driver_version";
  private static final String WITH_MIG = QUERY + ",mig.mode.current";
  private static final String FORMAT = "--format=csv,noheader,nounits";
  // What an unknown name in the query is answered with, and the exit code of a flag that is wrong.
  private static final String REFUSED = "is not a valid field to query";
  private static final int WRONG_FLAG = 2;
  private static final Duration LIMIT = Duration.ofSeconds(3);
  private static final int MAXIMUM_OUTPUT = 64 * 1024;
  private static final int MAXIMUM_DEVICES = 64;
  private static final int MAXIMUM_NOTE = 160;
  private static final int MAXIMUM_NOTES = 8;
  private static final int FIELDS = 5;
  private static final long MEBIBYTE = 1L << 20;

  private final List<String> program;

  /** A probe of this machine. */
  NvidiaProbe() {
    this(List.of(PROGRAM));
  }

  /** A probe that runs another program, with the same arguments added; for tests. */
  NvidiaProbe(List<String> program) {
    this.program = List.copyOf(program);
  }

  private sealed interface Answer {
    record Said(int code, String output) implements Answer {}

    record Silent(String reason) implements Answer {}
  }

  @Override
  public String name() {
    return "gpu.nvidia";
  }

  @Override
  public Inventory look() throws IOException, InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    Answer answer = ask(WITH_MIG, end);
    if (answer instanceof Answer.Said said && isRefused(said)) {
      answer = ask(QUERY, end);
    }
    return answer instanceof Answer.Said said
        ? parse(said.code(), said.output())
        : note(((Answer.Silent) answer).reason());
  }

  private static boolean isRefused(Answer.Said said) {
    return said.code() == WRONG_FLAG || said.output().contains(REFUSED);
  }

  private Answer ask(String query, long end) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(program);
    command.add(query);
    command.add(FORMAT);
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
        return new Answer.Silent(
            "nvidia-smi is not installed, so no NVIDIA graphics processors are offered");
      }
      try {
        if (!process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          return new Answer.Silent("nvidia-smi did not answer within " + LIMIT.toSeconds() + " s");
        }
      } finally {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
      try (InputStream in = Files.newInputStream(output)) {
        String text = new String(in.readNBytes(MAXIMUM_OUTPUT), StandardCharsets.UTF_8);
        return new Answer.Said(process.exitValue(), text);
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
      Optional<Device.Gpu> device = device(line);
      if (device.isPresent() && isSplit(line)) {
        note(notes, device.get().id() + " is split by MIG, so it is not offered");
      } else if (device.isPresent() && devices.size() < MAXIMUM_DEVICES) {
        devices.add(device.get());
      } else if (device.isPresent()) {
        note(notes, "only the first " + MAXIMUM_DEVICES + " NVIDIA processors are listed");
      } else {
        note(notes, "nvidia-smi said what is not understood: " + line.strip());
      }
    }
    if (devices.isEmpty() && notes.isEmpty()) {
      notes.add("nvidia-smi found no graphics processor");
    }
    return new Inventory(devices, notes);
  }

  /** Adds a note; of each kind of mess the first few are enough. */
  private static void note(List<String> notes, String text) {
    String bounded = shortened(text);
    if (notes.size() < MAXIMUM_NOTES && !notes.contains(bounded)) {
      notes.add(bounded);
    }
  }

  private static boolean isSplit(String line) {
    String[] fields = line.split(",", -1);
    return fields.length > FIELDS && fields[FIELDS].strip().equals("Enabled");
  }

  private static Optional<Device.Gpu> device(String line) {
    String[] fields = line.split(",", -1);
    boolean isWhole = fields.length == FIELDS || fields.length == FIELDS + 1;
    if (!isWhole || !fields[1].strip().startsWith("GPU-")) {
      return Optional.empty();
    }
    // On devices that share the main memory the size is "[N/A]", or "[Not Supported]" before 440.
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
