package dev.weft.agent.probe;

import dev.weft.api.inventory.Inventory;
import dev.weft.api.inventory.Probe;
import org.osgi.service.component.annotations.Component;

/** Registers the probe of the graphics processors of NVIDIA. */
@Component(service = Probe.class, property = "weft.probe.period.ms:Long=30000")
public final class NvidiaProbeComponent implements Probe {
  private final Probe probe = new NvidiaProbe();

  @Override
  public String name() {
    return probe.name();
  }

  @Override
  public Inventory look() throws Exception {
    return probe.look();
  }
}
