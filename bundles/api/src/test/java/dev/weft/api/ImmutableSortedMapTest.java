package dev.weft.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

@SuppressWarnings("JdkObsolete") // what a sorted map can do is tested
class ImmutableSortedMapTest {
  private static final Map<String, Integer> UNSORTED = Map.of("c", 3, "a", 1, "b", 2);

  @Test
  void isEqualToAnyMapOfTheSameEntriesInOrder() {
    SortedMap<String, Integer> map = ImmutableSortedMap.copyOf(UNSORTED);
    assertEquals(UNSORTED, map);
    assertEquals(map, UNSORTED);
    assertEquals(UNSORTED.hashCode(), map.hashCode());
    assertEquals(List.of("a", "b", "c"), List.copyOf(map.keySet()));
    assertEquals(List.of(1, 2, 3), List.copyOf(map.values()));
    assertEquals("a", map.firstKey());
    assertEquals("c", map.lastKey());
    assertEquals(Map.of("b", 2), map.subMap("b", "c"));
    assertEquals(Map.of("a", 1), map.headMap("b"));
    assertEquals(Map.of("c", 3), map.tailMap("c"));
  }

  @Test
  void findsWhatIsThereAndNothingElse() {
    Map<String, Integer> map = ImmutableSortedMap.copyOf(UNSORTED);
    assertEquals(2, map.get("b"));
    assertNull(map.get("d"));
    assertEquals(7, map.getOrDefault("d", 7));
    assertEquals(Map.of("x", 1), ImmutableSortedMap.of("x", 1));
  }

  @Test
  void isInNaturalOrderWhateverTheOrderOfTheOther() {
    SortedMap<String, Integer> reversed = new TreeMap<>(Collections.reverseOrder());
    reversed.putAll(UNSORTED);
    assertEquals("a", ImmutableSortedMap.copyOf(reversed).firstKey());
  }

  @Test
  void neverChanges() {
    SortedMap<String, Integer> source = new TreeMap<>(UNSORTED);
    SortedMap<String, Integer> map = ImmutableSortedMap.copyOf(source);
    source.put("d", 4);
    assertEquals(UNSORTED, map);
    assertThrows(UnsupportedOperationException.class, () -> map.put("d", 4));
    assertThrows(UnsupportedOperationException.class, () -> map.remove("a"));
    assertThrows(UnsupportedOperationException.class, map::clear);
    assertThrows(UnsupportedOperationException.class, () -> map.headMap("b").clear());
    assertThrows(
        UnsupportedOperationException.class, () -> map.entrySet().iterator().next().setValue(5));
    assertThrows(UnsupportedOperationException.class, () -> map.entrySet().removeIf(entry -> true));
  }

  @Test
  void isNotCopiedAgain() {
    SortedMap<String, Integer> map = ImmutableSortedMap.copyOf(UNSORTED);
    assertSame(map, ImmutableSortedMap.<String, Integer>copyOf(map));
    assertSame(
        ImmutableSortedMap.copyOf(new TreeMap<String, Integer>()),
        ImmutableSortedMap.copyOf(new TreeMap<String, Integer>()));
  }

  @Test
  void anEmptyOneHasNoFirstKey() {
    SortedMap<String, Integer> map = ImmutableSortedMap.copyOf(new TreeMap<String, Integer>());
    assertThrows(NoSuchElementException.class, map::firstKey);
    assertThrows(NoSuchElementException.class, map::lastKey);
  }
}
