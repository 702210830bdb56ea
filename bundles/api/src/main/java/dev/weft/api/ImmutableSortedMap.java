package dev.weft.api;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A small map in natural order of its keys that never changes, so that records which copy what they
 * are given need not copy it again. Takes a fraction of the memory of a tree: a pool keeps three of
 * them per node.
 *
 * @param <K> keys
 * @param <V> values
 */
@SuppressWarnings("JdkObsolete") // the records hold sorted maps; nothing needs a navigable one
public final class ImmutableSortedMap<K extends Comparable<? super K>, V> extends AbstractMap<K, V>
    implements SortedMap<K, V> {
  private static final ImmutableSortedMap<String, Object> EMPTY =
      new ImmutableSortedMap<>(new Object[0]);

  // Key, value, key, value; in order of key.
  private final Object[] table;

  private ImmutableSortedMap(Object[] table) {
    this.table = table;
  }

  /** A map of one entry. */
  public static <K extends Comparable<? super K>, V> ImmutableSortedMap<K, V> of(K key, V value) {
    return new ImmutableSortedMap<>(
        new Object[] {Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value")});
  }

  /** The entries of another map; the map itself if it is of this kind. */
  @SuppressWarnings("unchecked") // what is immutable may be read as a map of any wider type
  public static <K extends Comparable<? super K>, V> ImmutableSortedMap<K, V> copyOf(
      Map<K, ? extends V> map) {
    if (map instanceof ImmutableSortedMap<?, ?>) {
      return (ImmutableSortedMap<K, V>) map;
    }
    if (map.isEmpty()) {
      return (ImmutableSortedMap<K, V>) EMPTY;
    }
    Map<K, V> sorted = new TreeMap<>(Comparator.<K>naturalOrder());
    sorted.putAll(map);
    Object[] table = new Object[2 * sorted.size()];
    int at = 0;
    for (Map.Entry<K, V> entry : sorted.entrySet()) {
      table[at++] = entry.getKey();
      table[at++] = Objects.requireNonNull(entry.getValue(), "value");
    }
    return new ImmutableSortedMap<>(table);
  }

  @Override
  public int size() {
    return table.length / 2;
  }

  @Override
  public V get(Object key) {
    int at = find(key);
    return at < 0 ? null : value(at);
  }

  @Override
  public V getOrDefault(Object key, V otherwise) {
    int at = find(key);
    return at < 0 ? otherwise : value(at);
  }

  @Override
  public boolean containsKey(Object key) {
    return find(key) >= 0;
  }

  /**
   * The place of a key in order; negative if it is not there. Maps are small: no search by half.
   */
  private int find(Object key) {
    for (int i = 0; i < table.length; i += 2) {
      if (table[i].equals(key)) {
        return i / 2;
      }
    }
    return -1;
  }

  @SuppressWarnings("unchecked") // only keys are put at even places
  K key(int at) {
    return (K) table[2 * at];
  }

  @SuppressWarnings("unchecked") // only values are put at odd places
  V value(int at) {
    return (V) table[2 * at + 1];
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new Entries();
  }

  @Override
  public Comparator<? super K> comparator() {
    return null; // natural order
  }

  @Override
  public K firstKey() {
    return keyOrThrow(0);
  }

  @Override
  public K lastKey() {
    return keyOrThrow(size() - 1);
  }

  private K keyOrThrow(int at) {
    if (isEmpty()) {
      throw new NoSuchElementException("the map is empty");
    }
    return key(at);
  }

  @Override
  public SortedMap<K, V> subMap(K from, K to) {
    return Collections.unmodifiableSortedMap(new TreeMap<K, V>(this).subMap(from, to));
  }

  @Override
  public SortedMap<K, V> headMap(K to) {
    return Collections.unmodifiableSortedMap(new TreeMap<K, V>(this).headMap(to));
  }

  @Override
  public SortedMap<K, V> tailMap(K from) {
    return Collections.unmodifiableSortedMap(new TreeMap<K, V>(this).tailMap(from));
  }

  private final class Entries extends AbstractSet<Map.Entry<K, V>> {
    @Override
    public int size() {
      return ImmutableSortedMap.this.size();
    }

    @Override
    public Iterator<Map.Entry<K, V>> iterator() {
      return new Iterator<>() {
        private int next;

        @Override
        public boolean hasNext() {
          return next < size();
        }

        @Override
        public Map.Entry<K, V> next() {
          if (!hasNext()) {
            throw new NoSuchElementException("no more entries");
          }
          int at = next++;
          return Map.entry(key(at), value(at));
        }
      };
    }
  }
}
