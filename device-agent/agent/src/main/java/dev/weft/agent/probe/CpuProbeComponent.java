package dev.weft.agent.probe;

import dev.weft.api.inventory.Inventory;
import dev.weft.api.inventory.Probe;
import java.nio.file.Path;
import org.osgi.service.component.annotations.Component;

/** Registers the probe of the processors. */
@Component(service = Probe.class, property = "weft.probe.period.ms:Long=1000")
public final class CpuProbeComponent implements Probe {
  private final Probe probe =
      new CpuProbe(
          Path.of("/"),
          System.getProperty("os.arch"),
          () -> Runtime.getRuntime().availableProcessors());

  @Override
  public String name() {
    return probe.name();
  }

  @Override
  public Inventory look() throws Exception {
    return probe.look();
  }
}
