package dev.weft.agent.probe;

import dev.weft.api.inventory.Probe;
import dev.weft.testkit.inventory.ProbeContract;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** All probes on this machine, whatever it has, and where there is nothing to find. */
class ProbesTest {
  @TempDir private Path empty;

  @Nested
  class Cpu extends ProbeContract {
    @Override
    protected Probe probe() {
      return new CpuProbeComponent();
    }

    @Override
    protected Probe lost() {
      return new CpuProbe(empty, "riscv64", () -> 1);
    }
  }

  @Nested
  class Memory extends ProbeContract {
    @Override
    protected Probe probe() {
      return new MemoryProbeComponent();
    }

    @Override
    protected Probe lost() {
      return new MemoryProbe(empty);
    }
  }

  @Nested
  class Disk extends ProbeContract {
    @Override
    protected Probe probe() {
      return new DiskProbe(empty);
    }

    @Override
    protected Probe lost() {
      return new DiskProbe(empty.resolve("absent"));
    }
  }

  @Nested
  class OperatingSystem extends ProbeContract {
    @Override
    protected Probe probe() {
      return new SystemProbeComponent();
    }

    @Override
    protected Probe lost() {
      return new SystemProbe(empty);
    }
  }

  @Nested
  class Nvidia extends ProbeContract {
    @Override
    protected Probe probe() {
      return new NvidiaProbeComponent();
    }

    @Override
    protected Probe lost() {
      return new NvidiaProbe(List.of("no-such-program-as-nvidia-smi"));
    }
  }

  @Nested
  class Drm extends ProbeContract {
    @Override
    protected Probe probe() {
      return new DrmProbeComponent();
    }

    @Override
    protected Probe lost() {
      return new DrmProbe(empty);
    }
  }
}
