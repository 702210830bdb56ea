package dev.weft.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weft.api.Amount;
import dev.weft.api.Resources;
import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
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
            new Device.Gpu("g0", "v", "m", 0, "")),
        List.of());
  }

  private static OfferRules rules(OptionalLong cpu, OptionalLong memory, OptionalLong gpus) {
    return new OfferRules(cpu, memory, gpus, new TreeMap<>(Map.of("room", "b", "arch", "mine")));
  }

  @Test
  void withoutRulesAllIsOfferedButAReserve() {
    Offer offer = Offer.of(rules(NONE, NONE, NONE), node(1_000 * MIB), "Linux", true);
    assertEquals(Resources.ree(Amount.of(4_000, 744 * MIB, 1_000)), offer.offered());
    assertEquals(Map.of("os", "linux", "arch", "mine", "room", "b"), offer.labels());
    assertEquals(List.of(), offer.notes());
  }

  @Test
  void aSmallNodeStillOffersHalfOfItsMemory() {
    Offer offer = Offer.of(rules(NONE, NONE, NONE), node(300 * MIB), "Linux", true);
    assertEquals(Resources.ree(Amount.of(4_000, 150 * MIB, 1_000)), offer.offered());
  }

  @Test
  void lessIsOfferedAsAskedAndMoreIsCapped() {
    Offer offer =
        Offer.of(
            rules(OptionalLong.of(1_500), OptionalLong.of(2_048 * MIB), OptionalLong.of(0)),
            node(1_000 * MIB),
            "Linux",
            true);
    assertEquals(Resources.ree(Amount.of(1_500, 1_000 * MIB, 0)), offer.offered());
    assertEquals(
        List.of("offer.memory is 2 GiB, but there is only 1000 MiB; that much is offered"),
        offer.notes());
  }

  @Test
  void withoutAnExecutorNothingIsOffered() {
    Offer offer = Offer.of(rules(NONE, NONE, NONE), node(1_000 * MIB), "Linux", false);
    assertEquals(Resources.NONE, offer.offered());
    assertEquals(1, offer.notes().size());
  }
}
