package dev.weft.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResourcesTest {
  @Test
  void zerosDoNotMakeAmountsDiffer() {
    assertEquals(Amount.of(1000, 0, 0), Amount.of(Map.of(ResourceType.CPU, 1000L)));
    assertTrue(Amount.of(0, 0, 0).isNone());
  }

  @Test
  void amountsAreNeverNegative() {
    assertThrows(IllegalArgumentException.class, () -> Amount.of(-1, 0, 0));
    assertThrows(
        IllegalArgumentException.class, () -> Amount.of(1, 0, 0).minus(Amount.of(2, 0, 0)));
    assertEquals(Amount.NONE, Amount.of(1, 0, 0).minusAtMost(Amount.of(2, 0, 0)));
  }

  @Test
  void aSumOverflowingIsAnError() {
    Amount most = Amount.of(0, Long.MAX_VALUE, 0);
    assertThrows(ArithmeticException.class, () -> most.plus(Amount.of(0, 1, 0)));
  }

  @Test
  void whatIsLackingIsNamed() {
    Resources free = Resources.ree(Amount.of(2000, 1 << 20, 0));
    Resources wanted = Resources.ree(Amount.of(2000, 2 << 20, 0));
    assertEquals(
        Optional.of(new Resources.Lack(Environment.REE, ResourceType.MEMORY, 2 << 20, 1 << 20)),
        free.lacking(wanted));
    assertFalse(free.covers(wanted));
  }

  @Test
  void quantitiesReadWell() {
    assertEquals("1.5 cpu", Quantity.show(ResourceType.CPU, 1500));
    assertEquals("512 MiB memory", Quantity.show(ResourceType.MEMORY, 512L << 20));
    assertEquals("10 gpu", Quantity.show(ResourceType.GPU, 10_000));
    assertEquals("0 B", Quantity.bytes(0));
  }
}
