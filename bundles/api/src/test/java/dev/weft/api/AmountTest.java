package dev.weft.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AmountTest {
  private static final List<ResourceType> TYPES =
      List.of(
          ResourceType.CPU,
          ResourceType.MEMORY,
          new ResourceType("fpga"),
          new ResourceType("gpu.1-x"),
          ResourceType.gpu(1),
          ResourceType.gpuMemory(1),
          ResourceType.gpu(10),
          ResourceType.gpu(2),
          ResourceType.gpu(40),
          ResourceType.gpuMemory(40));

  @Test
  void sumsAndDifferencesAreThoseOfMaps() {
    for (long seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      Map<ResourceType, Long> one = values(random);
      Map<ResourceType, Long> other = values(random);
      Map<ResourceType, Long> sum = new HashMap<>(one);
      other.forEach((type, value) -> sum.merge(type, value, Long::sum));
      Map<ResourceType, Long> left = new HashMap<>(one);
      other.forEach(
          (type, value) -> left.merge(type, -value, (mine, theirs) -> Math.max(0, mine + theirs)));
      left.values().removeIf(value -> value <= 0);
      Amount first = Amount.of(one);
      Amount second = Amount.of(other);
      assertEquals(Amount.of(sum), first.plus(second), "seed " + seed);
      assertEquals(first, first.plus(second).minus(second), "seed " + seed);
      assertEquals(Amount.of(left), first.minusAtMost(second), "seed " + seed);
      assertEquals(new TreeMap<>(sum), Amount.of(sum).asMap(), "seed " + seed);
      TYPES.forEach(type -> assertEquals(one.getOrDefault(type, 0L), first.get(type)));
    }
  }

  private static Map<ResourceType, Long> values(Random random) {
    Map<ResourceType, Long> values = new HashMap<>();
    for (ResourceType type : TYPES) {
      if (random.nextBoolean()) {
        values.put(type, 1L + random.nextInt(3));
      }
    }
    return values;
  }

  @Test
  void visitsTypesInOrderOfName() {
    StringBuilder seen = new StringBuilder();
    Amount.of(Map.of(ResourceType.gpu(10), 1L, ResourceType.gpu(2), 2L, ResourceType.CPU, 3L))
        .forEach((type, value) -> seen.append(type).append('=').append(value).append(' '));
    assertEquals("cpu=3 gpu.10=1 gpu.2=2 ", seen.toString());
  }

  @Test
  void aShareLiesOnTheFullestDeviceWithRoom() {
    Amount free = devices(1000, 600, 300);
    assertEquals(Optional.of(device(1, 400, 8)), free.allocate(demand(400, 8)));
    assertEquals(Optional.of(device(0, 700, 8)), free.allocate(demand(700, 8)));
    assertEquals(Optional.of(device(2, 300, 8)), free.allocate(demand(300, 8)));
    assertEquals(Optional.empty(), free.allocate(demand(300, 17)));
  }

  @Test
  void wholeDevicesAreTakenByNumberWithAllTheirMemory() {
    Map<ResourceType, Long> values = new HashMap<>();
    for (int number : new int[] {10, 2, 40}) {
      values.put(ResourceType.gpu(number), 1000L);
      values.put(ResourceType.gpuMemory(number), 16L);
    }
    Amount free = Amount.of(values);
    assertEquals(
        Optional.of(device(2, 1000, 16).plus(device(10, 1000, 16))),
        free.allocate(demand(1500, 8)));
    assertTrue(free.covers(demand(3000, 16)));
    assertFalse(free.covers(demand(3001, 16)));
    assertEquals(Optional.of(ResourceType.GPU), free.lacking(demand(4000, 16)));
    assertEquals(Optional.of(ResourceType.GPU_MEMORY), free.lacking(demand(1000, 17)));
    assertEquals(3000, free.total(ResourceType.GPU));
    assertEquals(48, free.total(ResourceType.GPU_MEMORY));
  }

  @Test
  void memoryOfDevicesWithoutADeviceTakesNothing() {
    Amount wanted = Amount.of(Map.of(ResourceType.CPU, 1L, ResourceType.GPU_MEMORY, 8L));
    Amount free = Amount.of(Map.of(ResourceType.CPU, 2L));
    assertTrue(free.covers(wanted));
    assertEquals(Optional.of(Amount.of(Map.of(ResourceType.CPU, 1L))), free.allocate(wanted));
  }

  @Test
  void onlyNumberedTypesAreDevices() {
    assertTrue(new ResourceType("gpu.0").isGpuDevice());
    assertTrue(new ResourceType("gpu.9999").isGpuDevice());
    for (String name : List.of("gpu", "gpu.", "gpu.01", "gpu.10000", "gpu.1.memory", "gpu.x")) {
      assertFalse(new ResourceType(name).isGpuDevice(), name);
    }
    assertTrue(new ResourceType("gpu.12.memory").isGpuDeviceMemory());
    for (String name : List.of("gpu.memory", "gpu..memory", "gpu.1", "gpu.1.memory.x")) {
      assertFalse(new ResourceType(name).isGpuDeviceMemory(), name);
    }
  }

  @Test
  void typesOfDevicesAreShared() {
    Amount amount = Amount.of(Map.of(new ResourceType("gpu.3"), 1L));
    assertSame(ResourceType.gpu(3), amount.asMap().firstKey());
    assertEquals(new ResourceType("gpu.100"), ResourceType.gpu(100));
  }

  private static Amount devices(long... shares) {
    Amount all = Amount.NONE;
    for (int i = 0; i < shares.length; i++) {
      all = all.plus(device(i, shares[i], 16));
    }
    return all;
  }

  private static Amount device(int number, long share, long memory) {
    return Amount.of(
        Map.of(ResourceType.gpu(number), share, ResourceType.gpuMemory(number), memory));
  }

  private static Amount demand(long share, long memory) {
    return Amount.of(Map.of(ResourceType.GPU, share, ResourceType.GPU_MEMORY, memory));
  }
}
