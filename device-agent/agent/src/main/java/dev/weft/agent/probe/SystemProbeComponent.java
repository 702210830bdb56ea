package dev.weft.agent.probe;

import dev.weft.api.inventory.Inventory;
import dev.weft.api.inventory.Probe;
import java.nio.file.Path;
import org.osgi.service.component.annotations.Component;

/** Registers the probe of the operating system. */
@Component(service = Probe.class, property = "weft.probe.period.ms:Long=60000")
public final class SystemProbeComponent implements Probe {
  private final Probe probe = new SystemProbe(Path.of("/"));

  @Override
  public String name() {
    return probe.name();
  }

  @Override
  public Inventory look() throws Exception {
    return probe.look();
  }
}
