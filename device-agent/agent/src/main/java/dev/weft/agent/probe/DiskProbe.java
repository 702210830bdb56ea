package dev.weft.agent.probe;

import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.inventory.Probe;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Finds the size of the file system that a folder lies on. */
final class DiskProbe implements Probe {
  private final Path folder;

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
