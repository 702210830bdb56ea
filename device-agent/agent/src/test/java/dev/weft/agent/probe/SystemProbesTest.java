package dev.weft.agent.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemProbesTest {
  private static final long TOTAL = 24_683_548L * 1024;
  private static final String GROUP = "/process_api/0c2fb0f0728f78da7c135ebb5c528ae9";

  @TempDir private Path root;

  @Test
  void namesTheProcessor() {
    assertEquals("AMD EPYC", CpuProbe.model(Recorded.text("cpuinfo-x86_64.txt")));
    assertEquals("ARM part 0xd0c", CpuProbe.model(Recorded.text("cpuinfo-arm64.txt")));
    assertEquals(
        "implementer 0x99 part not known",
        CpuProbe.model("CPU implementer\t: 0x99\nCPU part\t:\n"));
    assertEquals("not known", CpuProbe.model(""));
  }

  @Test
  void readsTheLoad() throws Exception {
    assertEquals(9.36, CpuProbe.load("9.36 11.57 10.34 4/512 4711\n"));
    assertEquals(-1, CpuProbe.load(""));
    Recorded.put(root, "proc/cpuinfo", Recorded.text("cpuinfo-x86_64.txt"));
    Recorded.put(root, "proc/loadavg", "0.50 0.40 0.30 1/100 99\n");
    assertEquals(
        new Inventory(List.of(new Device.Cpu("amd64", "AMD EPYC", 3, 0.5)), List.of()), cpu(3));
  }

  @Test
  void countsProcessors() {
    assertEquals(1, CpuProbe.installed(Recorded.text("cpuinfo-x86_64.txt")));
    assertEquals(1, CpuProbe.installed(Recorded.text("cpuinfo-arm64.txt")));
    assertEquals(
        2, CpuProbe.installed("processor\t: 0\nModel\t: a processor: b\nprocessor\t: 1\n"));
  }

  @Test
  void notesTheLeastShareOfVersionTwo() throws Exception {
    Recorded.put(root, "proc/cpuinfo", "processor\t: 0\n".repeat(8));
    Recorded.put(root, "proc/self/cgroup", "0::/user.slice/weft.service\n");
    Recorded.put(root, "sys/fs/cgroup/user.slice/weft.service/cpu.max", "max 100000\n");
    assertEquals(List.of(), cpu(8).notes());
    Recorded.put(root, "sys/fs/cgroup/user.slice/cpu.max", "150000 100000\n");
    Recorded.put(root, "sys/fs/cgroup/cpu.max", "400000 100000\n");
    assertEquals(List.of("the control group allows 1.50 of 8 logical cores"), cpu(2).notes());
    Recorded.put(root, "sys/fs/cgroup/user.slice/cpu.max", "800000 100000\n");
    Recorded.put(root, "sys/fs/cgroup/cpu.max", "rubbish\n");
    assertEquals(List.of(), cpu(8).notes());
  }

  @Test
  void notesTheLeastShareOfVersionOne() throws Exception {
    Recorded.put(root, "proc/cpuinfo", "processor\t: 0\n".repeat(4));
    Recorded.put(root, "proc/self/cgroup", "3:cpu,cpuacct:/docker/ab\n");
    String mount = "sys/fs/cgroup/cpu";
    Recorded.put(root, mount + "/cpu.cfs_quota_us", "-1\n");
    Recorded.put(root, mount + "/cpu.cfs_period_us", "100000\n");
    assertEquals(List.of(), cpu(4).notes());
    Recorded.put(root, mount + "/docker/ab/cpu.cfs_quota_us", "50000\n");
    Recorded.put(root, mount + "/docker/ab/cpu.cfs_period_us", "100000\n");
    assertEquals(List.of("the control group allows 0.50 of 4 logical cores"), cpu(1).notes());
    Recorded.put(root, mount + "/docker/ab/cpu.cfs_period_us", "0\n");
    assertEquals(List.of(), cpu(4).notes());
  }

  @Test
  void readsTheMemoryWithoutLimit() throws Exception {
    Recorded.put(root, "proc/meminfo", Recorded.text("meminfo.txt"));
    Device.Memory memory = memory();
    assertEquals(TOTAL, memory.total());
    assertTrue(memory.available() > 0 && memory.available() < TOTAL);
    assertEquals(OptionalLong.empty(), memory.limit());
  }

  @Test
  void takesTheLeastLimitOfVersionOne() throws Exception {
    Recorded.put(root, "proc/meminfo", Recorded.text("meminfo.txt"));
    Recorded.put(root, "proc/self/cgroup", Recorded.text("cgroup-v1.txt"));
    String mount = "sys/fs/cgroup/memory";
    Recorded.put(root, mount + "/memory.limit_in_bytes", "9223372036854771712\n");
    assertEquals(OptionalLong.empty(), memory().limit());
    Recorded.put(root, mount + "/process_api/memory.limit_in_bytes", "1073741824\n");
    Recorded.put(root, mount + GROUP + "/memory.limit_in_bytes", "2147483648\n");
    assertEquals(OptionalLong.of(1L << 30), memory().limit());
  }

  @Test
  void takesTheLeastLimitOfVersionTwo() throws Exception {
    Recorded.put(root, "proc/meminfo", Recorded.text("meminfo.txt"));
    Recorded.put(root, "proc/self/cgroup", "0::/user.slice/weft.service\n");
    Recorded.put(root, "sys/fs/cgroup/user.slice/memory.max", "4294967296\n");
    Recorded.put(root, "sys/fs/cgroup/user.slice/weft.service/memory.max", "max\n");
    assertEquals(OptionalLong.of(1L << 32), memory().limit());
    Recorded.put(root, "proc/self/cgroup", "0::/../../outside\n");
    Recorded.put(root, "sys/fs/cgroup/memory.max", "536870912\n");
    assertEquals(OptionalLong.of(1L << 29), memory().limit());
  }

  @Test
  void saysThatMemoryIsNotKnown() throws Exception {
    assertThrows(IOException.class, () -> new MemoryProbe(root).look());
    Recorded.put(root, "proc/meminfo", "MemTotal: many kB\n");
    assertThrows(IOException.class, () -> new MemoryProbe(root).look());
  }

  @Test
  void readsTheOperatingSystem() throws Exception {
    Recorded.put(root, "etc/os-release", Recorded.text("os-release-debian-12.txt"));
    Recorded.put(root, "proc/sys/kernel/osrelease", "6.18.44\n");
    assertEquals(
        List.of(new Device.OperatingSystem("Debian GNU/Linux", "12", "6.18.44")),
        new SystemProbe(root).look().devices());
    assertEquals("Alpine", SystemProbe.field("NAME='Alpine'\n", "NAME", "absent"));
    assertEquals("absent", SystemProbe.field("NAME=\"\"\n", "NAME", "absent"));
  }

  @Test
  void readsWithoutAnyFile() {
    assertEquals(
        List.of(new Device.OperatingSystem("Linux", "not known", "not known")),
        new SystemProbe(root).look().devices());
  }

  @Test
  void measuresTheDisk() throws Exception {
    Device.Disk disk = new DiskProbe(root).look().first(Device.Disk.class).orElseThrow();
    assertTrue(disk.total() > 0 && disk.free() <= disk.total(), disk.toString());
  }

  private Inventory cpu(int usable) {
    return new CpuProbe(root, "amd64", () -> usable).look();
  }

  private Device.Memory memory() throws IOException {
    return new MemoryProbe(root).look().first(Device.Memory.class).orElseThrow();
  }
}
