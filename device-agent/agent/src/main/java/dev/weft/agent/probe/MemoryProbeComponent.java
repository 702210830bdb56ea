package dev.weft.agent.probe;

import dev.weft.api.inventory.Inventory;
import dev.weft.api.inventory.Probe;
import java.nio.file.Path;
import org.osgi.service.component.annotations.Component;

/** Registers the probe of the memory. */
@Component(service = Probe.class, property = "weft.probe.period.ms:Long=1000")
public final class MemoryProbeComponent implements Probe {
  private final Probe probe = new MemoryProbe(Path.of("/"));

  @Override
  public String name() {
    return probe.name();
  }

  @Override
  public Inventory look() throws Exception {
    return probe.look();
  }
}
