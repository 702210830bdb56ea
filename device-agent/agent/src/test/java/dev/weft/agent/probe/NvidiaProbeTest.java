package dev.weft.agent.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class NvidiaProbeTest {
  private static final long MEBIBYTE = 1L << 20;

  @Test
  void readsSeveral() {
    Inventory found = NvidiaProbe.parse(0, Recorded.text("nvidia-several.txt"));
    assertEquals(
        List.of(
            new Device.Gpu(
                "GPU-22b2c6ac-2d49-4863-197c-9c469071178a",
                "NVIDIA",
                "GeForce RTX 2080",
                7979 * MEBIBYTE,
                "nvidia 440.64"),
            new Device.Gpu(
                "GPU-101b1cf0-fdf7-b374-a62c-76b25134fcf2",
                "NVIDIA",
                "GeForce GTX 960M",
                4046 * MEBIBYTE,
                "nvidia 440.64")),
        found.devices());
    assertEquals(List.of(), found.notes());
  }

  @Test
  void readsOneThatDoesNotTellItsMemory() {
    Inventory found = NvidiaProbe.parse(0, Recorded.text("nvidia-no-memory.txt"));
    Device.Gpu gpu = found.first(Device.Gpu.class).orElseThrow();
    assertEquals("NVIDIA GB10", gpu.model());
    assertEquals(0, gpu.memory());
  }

  @Test
  void readsTheOlderWordForWhatIsNotKnown() {
    Inventory found = NvidiaProbe.parse(0, Recorded.text("nvidia-not-supported.txt"));
    Device.Gpu gpu = found.first(Device.Gpu.class).orElseThrow();
    assertEquals("GeForce 410M", gpu.model());
    assertEquals(0, gpu.memory());
    assertEquals(List.of(), found.notes());
  }

  @Test
  void doesNotListWhatIsSplit() {
    Inventory found = NvidiaProbe.parse(0, Recorded.text("nvidia-mig.txt"));
    assertEquals(
        List.of(
            "GPU-91672fbd-4bc1-0434-a653-77a9501c84de",
            "GPU-b4199570-ed3c-2a6b-646a-af77be93eac5",
            "GPU-1a4dff29-ab6d-9f64-f125-8b7cebdaac4a"),
        found.all(Device.Gpu.class).stream().map(Device.Gpu::id).toList());
    assertEquals(
        List.of("GPU-ec845691-fb46-e16d-abfb-b135308cb39f is split by MIG, so it is not offered"),
        found.notes());
  }

  @Test
  void notesThatTheDriverIsNotLoaded() {
    Inventory found = NvidiaProbe.parse(9, Recorded.text("nvidia-no-driver.txt"));
    assertEquals(List.of(), found.devices());
    assertTrue(
        found.notes().get(0).startsWith("nvidia-smi ended with code 9: NVIDIA-SMI has failed"),
        found.toString());
  }

  @Test
  void asksOldDriversAgainWithoutMig() throws Exception {
    String script =
        "case \"$1\" in *mig*) echo 'Field \"mig.mode.current\" is not a valid field to query.';"
            + " exit 2;; *) echo '0, GPU-101b1cf0, GeForce GTX 960M, 4046, 410.72';; esac";
    Inventory found = new NvidiaProbe(List.of("sh", "-c", script, "nvidia-smi")).look();
    assertEquals(1, found.devices().size(), found.toString());
    assertEquals(List.of(), found.notes());
  }

  @Test
  void boundsTheNumberOfNotesAndDevices() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      text.append(i).append(", GPU-").append(i).append(", A100, 40960, 470.1, ");
      text.append(i % 2 == 0 ? "Enabled" : "Disabled").append('\n');
    }
    Inventory found = NvidiaProbe.parse(0, text.toString());
    assertEquals(64, found.devices().size());
    assertEquals(8, found.notes().size());
  }

  @Test
  void notesWhatTheDriverSays() {
    Inventory found = NvidiaProbe.parse(18, Recorded.text("nvidia-mismatch.txt"));
    assertEquals(List.of(), found.devices());
    assertEquals(
        List.of(
            "nvidia-smi ended with code 18: Failed to initialize NVML: Driver/library version"
                + " mismatch NVML library version: 570.124"),
        found.notes());
  }

  @Test
  void notesThatThereIsNone() {
    assertEquals(
        List.of("nvidia-smi found no graphics processor"), NvidiaProbe.parse(0, "").notes());
    assertTrue(
        NvidiaProbe.parse(0, "No devices were found\n").notes().get(0).contains("No devices"));
  }

  @Test
  void keepsWhatIsUnderstoodOfAMess() {
    String text = "x".repeat(5000) + "\n1,2\n" + Recorded.text("nvidia-several.txt");
    Inventory found = NvidiaProbe.parse(0, text);
    assertEquals(2, found.devices().size());
    assertEquals(2, found.notes().size());
    assertTrue(found.notes().stream().allMatch(note -> note.length() <= 160), found.toString());
  }

  @Test
  void notesThatTheProgramIsAbsent() throws Exception {
    Inventory found = new NvidiaProbe(List.of("no-such-program-as-nvidia-smi")).look();
    assertTrue(found.notes().get(0).startsWith("nvidia-smi is not installed"), found.toString());
  }

  @Test
  void doesNotWaitForever() throws Exception {
    long begin = System.nanoTime();
    Inventory found = new NvidiaProbe(List.of("sh", "-c", "sleep 30 & wait")).look();
    assertEquals(List.of("nvidia-smi did not answer within 3 s"), found.notes());
    assertTrue(Duration.ofNanos(System.nanoTime() - begin).toSeconds() < 20);
  }

  @Test
  void boundsTheOutput() throws Exception {
    Inventory found =
        new NvidiaProbe(List.of("sh", "-c", "head -c 10000000 /dev/zero | tr '\\0' x")).look();
    assertTrue(found.notes().get(0).startsWith("nvidia-smi said what is not understood"));
    assertEquals(1, found.notes().size());
  }
}
