package dev.weft.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weft.agent.run.Gpus;
import dev.weft.api.Amount;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OfferTest {
  private static final long MIB = 1L << 20;
  private static final OptionalLong NONE = OptionalLong.empty();

  private static Inventory node(long memory) {
    return new Inventory(
        List.of(
            new Device.Cpu("aarch64", "m", 4, 0),
            new Device.Memory(2 * memory, 0, OptionalLong.of(memory)),
            new Device.Gpu("g0", "v", "m", 16 * MIB, "")),
        List.of());
  }

  private static Map<Integer, Device.Gpu> gpus() {
    return new Gpus().found(node(1_000 * MIB));
  }

  private static Resources offer(long cpuMilli, long memory, int gpus) {
    Map<ResourceType, Long> amounts = new HashMap<>();
    amounts.put(ResourceType.CPU, cpuMilli);
    amounts.put(ResourceType.MEMORY, memory);
    for (int device = 0; device < gpus; device++) {
      amounts.put(ResourceType.gpu(device), 1_000L);
      amounts.put(ResourceType.gpuMemory(device), 16 * MIB);
    }
    return Resources.ree(Amount.of(amounts));
  }

  private static OfferRules rules(OptionalLong cpu, OptionalLong memory, OptionalLong gpus) {
    return new OfferRules(
        cpu, memory, gpus, Map.of(), new TreeMap<>(Map.of("room", "b", "arch", "mine")));
  }

  @Test
  void withoutRulesAllIsOfferedButAReserve() {
    Offer offer = Offer.of(rules(NONE, NONE, NONE), node(1_000 * MIB), gpus(), "Linux", true);
    assertEquals(offer(4_000, 744 * MIB, 1), offer.offered());
    assertEquals(Map.of("os", "linux", "arch", "mine", "room", "b"), offer.labels());
    assertEquals(List.of(), offer.notes());
  }

  @Test
  void whatNoProbeFindsIsOfferedAsTheOperatorSays() {
    ResourceType cameras = new ResourceType("camera");
    OfferRules rules = new OfferRules(NONE, NONE, NONE, Map.of(cameras, 2L), new TreeMap<>());
    Offer offer = Offer.of(rules, node(1_000 * MIB), gpus(), "Linux", true);
    assertEquals(2, offer.offered().total(cameras));
  }

  @Test
  void aSmallNodeStillOffersHalfOfItsMemory() {
    Offer offer = Offer.of(rules(NONE, NONE, NONE), node(300 * MIB), gpus(), "Linux", true);
    assertEquals(offer(4_000, 150 * MIB, 1), offer.offered());
  }

  @Test
  void lessIsOfferedAsAskedAndMoreIsCapped() {
    Offer offer =
        Offer.of(
            rules(OptionalLong.of(1_500), OptionalLong.of(2_048 * MIB), OptionalLong.of(0)),
            node(1_000 * MIB),
            gpus(),
            "Linux",
            true);
    assertEquals(offer(1_500, 1_000 * MIB, 0), offer.offered());
    assertEquals(
        List.of("offer.memory is 2 GiB, but there is only 1000 MiB; that much is offered"),
        offer.notes());
  }

  @Test
  void withoutAnExecutorNothingIsOffered() {
    Offer offer = Offer.of(rules(NONE, NONE, NONE), node(1_000 * MIB), gpus(), "Linux", false);
    assertEquals(Resources.NONE, offer.offered());
    assertEquals(1, offer.notes().size());
  }

  @Test
  void aDeviceKeepsItsNumberWhenAnotherVanishes() {
    Device.Gpu first = new Device.Gpu("a", "v", "m", MIB, "");
    Device.Gpu second = new Device.Gpu("b", "v", "m", MIB, "");
    Gpus gpus = new Gpus();
    assertEquals(
        Map.of(0, first, 1, second), gpus.found(new Inventory(List.of(first, second), List.of())));
    assertEquals(Map.of(1, second), gpus.found(new Inventory(List.of(second), List.of())));
    assertEquals(
        Map.of(0, first, 1, second), gpus.found(new Inventory(List.of(second, first), List.of())));
  }
}
