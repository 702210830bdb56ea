package dev.weft.agent.probe;

import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.inventory.Probe;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** The file system that the attempts work in. */
@Component(property = "weft.probe.period.ms:Long=10000")
public final class DiskProbe implements Probe {
  private final Path folder;

  /** Made by the framework. */
  @Activate
  public DiskProbe(BundleContext context) {
    this(Path.of(context.getProperty("weft.data")));
  }

  DiskProbe(Path folder) {
    this.folder = folder;
  }

  @Override
  public String name() {
    return "disk";
  }

  @Override
  public Inventory look() throws IOException {
    FileStore store = Files.getFileStore(folder);
    return new Inventory(
        List.of(new Device.Disk(store.getTotalSpace(), store.getUsableSpace())), List.of());
  }
}
