package dev.weft.agent.probe;

import dev.weft.api.inventory.Inventory;
import dev.weft.api.inventory.Probe;
import java.nio.file.Path;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** Registers the probe of the disk. */
@Component(service = Probe.class, property = "weft.probe.period.ms:Long=60000")
public final class DiskProbeComponent implements Probe {
  private final Probe probe;

  /** Made by the framework. */
  @Activate
  public DiskProbeComponent(BundleContext context) {
    String data = context.getProperty("weft.data");
    if (data == null) {
      throw new IllegalStateException("the framework property weft.data is not set");
    }
    probe = new DiskProbe(Path.of(data));
  }

  @Override
  public String name() {
    return probe.name();
  }

  @Override
  public Inventory look() throws Exception {
    return probe.look();
  }
}
