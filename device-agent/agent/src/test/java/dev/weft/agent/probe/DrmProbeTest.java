package dev.weft.agent.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weft.api.inventory.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DrmProbeTest {
  @TempDir private Path root;

  @Test
  void findsAmdAndIntelOnce() throws Exception {
    card("card0", "0x8086", "0x56a1", "i915", "0000:03:00.0");
    card("card1", "0x1002", "0x75a0", "amdgpu", "0000:05:00.0");
    put("card1/device/mem_info_vram_total", "309220868096\n");
    card("card2", "0x1002", "0x75a0", "amdgpu", "0000:05:00.0");
    card("card3", "0x10de", "0x2335", "nvidia", "0000:07:00.0");
    put("card1-DP-1/status", "connected\n");
    put("version", "drm 1.1.0 20060810\n");
    node(0, 0, 0);
    node(5, 30112, 90500);
    assertEquals(
        List.of(
            new Device.Gpu("0000:03:00.0", "Intel", "Intel 0x56a1", 0, "i915"),
            new Device.Gpu(
                "0000:05:00.0", "AMD", "AMD 0x75a0 (gfx950)", 309_220_868_096L, "amdgpu")),
        new DrmProbe(root).look().devices());
  }

  @Test
  void readsARecordedMachine() throws Exception {
    recorded("card0", "0x8086", "0x591b", "uevent-intel-i915.txt");
    recorded("card1", "0x1002", "0x694c", "uevent-amd-amdgpu.txt");
    assertEquals(
        List.of(
            new Device.Gpu("0000:00:02.0", "Intel", "Intel 0x591b", 0, "i915"),
            new Device.Gpu("0000:01:00.0", "AMD", "AMD 0x694c", 0, "amdgpu")),
        new DrmProbe(root).look().devices());
  }

  @Test
  void findsIntelWithTheNewerDriver() throws Exception {
    card("card0", "0x8086", "0xe20b", "xe", "0000:03:00.0");
    assertEquals(
        List.of(new Device.Gpu("0000:03:00.0", "Intel", "Intel 0xe20b", 0, "xe")),
        new DrmProbe(root).look().devices());
  }

  @Test
  void doesWithoutTheInstructionSet() throws Exception {
    card("card0", "0x1002", "0x75a0", "amdgpu", "0000:05:00.0");
    Recorded.put(
        root,
        "sys/class/kfd/kfd/topology/nodes/5/properties",
        Recorded.text("kfd-node-mi350x.txt"));
    assertEquals(
        "AMD 0x75a0", new DrmProbe(root).look().first(Device.Gpu.class).orElseThrow().model());
  }

  @Test
  void prefersTheNameThatTheDriverGives() throws Exception {
    card("card0", "0x1002", "0x74a1", "amdgpu", "0000:05:00.0");
    put("card0/device/product_name", "AMD Instinct MI300X\n");
    Device.Gpu gpu = new DrmProbe(root).look().first(Device.Gpu.class).orElseThrow();
    assertEquals("AMD Instinct MI300X", gpu.model());
    assertEquals(0, gpu.memory());
  }

  @Test
  void notesThatThereIsNone() throws Exception {
    assertEquals(
        List.of("no graphics processor of AMD or Intel in sys/class/drm"),
        new DrmProbe(root).look().notes());
    put("card0/device/vendor", "rubbish\n");
    assertEquals(List.of(), new DrmProbe(root).look().devices());
  }

  @Test
  void namesInstructionSets() {
    assertEquals("gfx942", DrmProbe.instructionSet(90402));
    assertEquals("gfx90a", DrmProbe.instructionSet(90010));
    assertEquals("gfx1100", DrmProbe.instructionSet(110000));
  }

  private void card(String name, String vendor, String device, String driver, String address)
      throws IOException {
    put(name + "/device/vendor", vendor + "\n");
    put(name + "/device/device", device + "\n");
    put(name + "/device/uevent", "DRIVER=" + driver + "\nPCI_SLOT_NAME=" + address + "\n");
  }

  private void recorded(String name, String vendor, String device, String events)
      throws IOException {
    put(name + "/device/vendor", vendor + "\n");
    put(name + "/device/device", device + "\n");
    put(name + "/device/uevent", Recorded.text(events));
  }

  private void node(int number, long device, long version) throws IOException {
    Recorded.put(
        root,
        "sys/class/kfd/kfd/topology/nodes/" + number + "/properties",
        "simd_count 1024\ndevice_id " + device + "\ngfx_target_version " + version + "\n");
  }

  private void put(String path, String text) throws IOException {
    Recorded.put(root, "sys/class/drm/" + path, text);
  }
}
