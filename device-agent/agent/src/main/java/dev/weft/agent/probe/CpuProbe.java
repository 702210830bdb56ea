package dev.weft.agent.probe;

import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.inventory.Probe;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** Processors, from {@code /proc/cpuinfo} and {@code /proc/loadavg}. */
@Component(property = "weft.probe.period.ms:Long=1000")
public final class CpuProbe implements Probe {
  private final Path root;
  private final int cores;

  /** Made by the framework. */
  @Activate
  public CpuProbe() {
    this(Path.of("/"), Runtime.getRuntime().availableProcessors());
  }

  CpuProbe(Path root, int cores) {
    this.root = root;
    this.cores = cores;
  }

  @Override
  public String name() {
    return "cpu";
  }

  @Override
  public Inventory look() throws IOException {
    List<String> cpuinfo = Lines.of(root.resolve("proc/cpuinfo"));
    double load =
        Lines.first(root.resolve("proc/loadavg"))
            .map(line -> Double.parseDouble(line.split(" ", -1)[0]))
            .orElse(-1.0);
    Device.Cpu cpu =
        new Device.Cpu(System.getProperty("os.arch"), model(cpuinfo, root), cores, load);
    return new Inventory(List.of(cpu), List.of());
  }

  /** The model as x86 names it, else the board that an arm64 device tree names. */
  static String model(List<String> cpuinfo, Path root) {
    Optional<String> model =
        Lines.value(cpuinfo, "model name", ':')
            .or(() -> Lines.value(cpuinfo, "Model", ':'))
            .or(() -> Lines.first(root.resolve("proc/device-tree/model")))
            .or(() -> Lines.value(cpuinfo, "CPU part", ':').map(part -> "ARM part " + part));
    return model.map(name -> name.replace("\0", "").strip()).orElse("unknown");
  }
}
