package dev.weft.scheduler.jobfile;

import dev.weft.api.Amount;
import dev.weft.api.Demand;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Reads {@code demand}. */
final class DemandSection {
  private static final List<String> KEYS =
      List.of("cpu", "memory", "gpu", "gpu-memory", "counters", "work", "labels");
  private static final List<String> WORK_KEYS = List.of("cpu", "gpu", "within");
  private static final long DEFAULT_CPU_MILLI = 1_000;
  private static final long DEFAULT_MEMORY = 128L << 20;
  private static final int MAXIMUM_LABELS = 32;
  private static final int MAXIMUM_LABEL = 63;
  private static final int MAXIMUM_COUNTERS = 16;
  private static final long MAXIMUM_COUNT = 1_000_000_000;
  private static final long WHOLE_DEVICE = 1_000;
  private static final List<String> NO_COUNTERS = List.of("cpu", "memory", "gpu");

  private final Optional<Section> section;
  private final Map<ResourceType, Long> amounts = new TreeMap<>();

  private DemandSection(Optional<Section> section) {
    this.section = section;
  }

  /** The demand; wrong parts of it are left out. */
  static Demand read(Optional<Value> value) {
    Optional<Section> found =
        value.flatMap(
            map ->
                map.section(
                    "a map with cpu, memory, gpu, gpu-memory, counters, work or labels", KEYS));
    return new DemandSection(found).read();
  }

  private Optional<Value> get(String key) {
    return section.flatMap(keys -> keys.get(key));
  }

  private Demand read() {
    amounts.put(ResourceType.CPU, get("cpu").flatMap(Amounts::cores).orElse(DEFAULT_CPU_MILLI));
    amounts.put(
        ResourceType.MEMORY,
        get("memory").flatMap(value -> Amounts.bytes(value, 0)).orElse(DEFAULT_MEMORY));
    get("gpu").flatMap(Amounts::devices).ifPresent(milli -> amounts.put(ResourceType.GPU, milli));
    get("counters").ifPresent(this::counters);
    Optional<Demand.Work> work = get("work").flatMap(this::work);
    // Last, because work may be what asks for a device.
    get("gpu-memory").ifPresent(this::gpuMemory);
    TreeMap<String, String> labels = new TreeMap<>();
    get("labels").ifPresent(map -> labels.putAll(labels(map)));
    Resources resources = Resources.ree(Amount.of(amounts));
    if (resources.perEnvironment().isEmpty()) {
      get("cpu").orElseThrow().problem("the demand asks for nothing; give at least one amount");
    }
    return new Demand(resources, labels, work);
  }

  private void gpuMemory(Value value) {
    Optional<Long> bytes = Amounts.bytes(value, 1);
    if (amounts.getOrDefault(ResourceType.GPU, 0L) == 0) {
      value.problemAtKey("is memory of each device that is taken; ask for a gpu too");
    } else {
      bytes.ifPresent(amount -> amounts.put(ResourceType.GPU_MEMORY, amount));
    }
  }

  private void counters(Value value) {
    Map<String, Value> entries = value.entries("a map of counters and how much of each");
    if (entries.size() > MAXIMUM_COUNTERS) {
      value.problem("has " + entries.size() + " counters; at most " + MAXIMUM_COUNTERS);
      return;
    }
    entries.forEach(
        (name, entry) -> {
          if (NO_COUNTERS.contains(name)) {
            entry.problemAtKey("is not a counter; it stands in 'demand' itself");
          } else if (!ResourceType.isCounter(name)) {
            entry.problemAtKey(
                "a counter's name has 1 to 40 small letters, digits and hyphens, a letter first");
          } else {
            OptionalLong count = entry.whole(1, MAXIMUM_COUNT);
            count.ifPresent(number -> amounts.put(new ResourceType(name), number));
          }
        });
  }

  private Optional<Demand.Work> work(Value value) {
    Optional<Section> found = value.section("a map with cpu or gpu, and within", WORK_KEYS);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Section keys = found.get();
    Optional<Duration> within =
        keys.require("within", "when the work should be done").flatMap(Amounts::duration);
    boolean both = keys.get("cpu").isPresent() && keys.get("gpu").isPresent();
    if (both || (keys.get("cpu").isEmpty() && keys.get("gpu").isEmpty())) {
      value.problem("expected exactly one of cpu and gpu");
      return Optional.empty();
    }
    String kind = keys.get("cpu").isPresent() ? "cpu" : "gpu";
    Optional<Long> amount = keys.get(kind).flatMap(Amounts::work);
    if (get(kind).isPresent()) {
      value.problemAtKey("says how much " + kind + " is needed; give " + kind + " or work");
      return Optional.empty();
    }
    if (within.isEmpty() || amount.isEmpty()) {
      return Optional.empty();
    }
    ResourceType type = kind.equals("cpu") ? ResourceType.CPU : ResourceType.GPU;
    Demand.Work work = new Demand.Work(type, amount.get(), within.get());
    return derive(value, work) ? Optional.of(work) : Optional.empty();
  }

  /** Asks for as much as does the work in time (E2). */
  private boolean derive(Value value, Demand.Work work) {
    boolean cores = work.type().equals(ResourceType.CPU);
    long most = cores ? Amounts.MAXIMUM_CORES : Amounts.MAXIMUM_DEVICES;
    long target = work.target();
    if (!cores && target > WHOLE_DEVICE) { // more than one device is taken in whole ones
      target = (target + WHOLE_DEVICE - 1) / WHOLE_DEVICE * WHOLE_DEVICE;
    }
    if (target > most * 1_000) {
      value.problem("needs more than %d %s to be done in that time".formatted(most, work.type()));
      return false;
    }
    amounts.put(work.type(), target);
    return true;
  }

  private static Map<String, String> labels(Value value) {
    Map<String, String> labels = new TreeMap<>();
    Map<String, Value> entries = value.entries("a map of labels");
    if (entries.size() > MAXIMUM_LABELS) {
      value.problem("has " + entries.size() + " labels; at most " + MAXIMUM_LABELS);
      return labels;
    }
    entries.forEach(
        (key, entry) -> {
          if (key.isEmpty() || key.length() > MAXIMUM_LABEL) {
            entry.problemAtKey("a label's name has 1 to " + MAXIMUM_LABEL + " characters");
          } else {
            entry.text("a text", MAXIMUM_LABEL).ifPresent(text -> labels.put(key, text));
          }
        });
    return labels;
  }
}
