package dev.weft.coap;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The messages under way: hands out their ids and keeps them within bounds. An id is not given
 * again to the same peer while a message with it is under way, so ids never run out however fast
 * they are used. Thread-safe; times are in nanoseconds of any clock that does not jump.
 *
 * @param <T> what is kept for each message
 */
final class InFlight<T> {
  private static final int IDS = 1 << 16;

  private final int maximumPerPeer;
  private final int maximum;
  private final Map<Key, Entry<T>> entries = new HashMap<>();
  private final Map<InetSocketAddress, Integer> perPeer = new HashMap<>();
  private int nextId;

  /**
   * Bounds must be below the 65,536 ids that there are.
   *
   * @param firstId where ids start, so that a restarted node does not repeat its last ones
   */
  InFlight(int maximumPerPeer, int maximum, int firstId) {
    if (maximumPerPeer < 1 || maximumPerPeer > maximum || maximum >= IDS) {
      throw new IllegalArgumentException("not bounds: " + maximumPerPeer + ", " + maximum);
    }
    this.maximumPerPeer = maximumPerPeer;
    this.maximum = maximum;
    this.nextId = Math.floorMod(firstId, IDS);
  }

  /** Starts a message; empty if too many are under way. */
  synchronized Optional<Key> begin(InetSocketAddress to, T what, long now) {
    Objects.requireNonNull(what, "what");
    int underWay = perPeer.getOrDefault(to, 0);
    if (underWay >= maximumPerPeer || entries.size() >= maximum) {
      return Optional.empty();
    }
    Key key = nextKey(to);
    while (entries.containsKey(key)) {
      key = nextKey(to);
    }
    entries.put(key, new Entry<>(what, now));
    perPeer.put(to, underWay + 1);
    return Optional.of(key);
  }

  private Key nextKey(InetSocketAddress to) {
    Key key = new Key(to, nextId);
    nextId = (nextId + 1) % IDS;
    return key;
  }

  /** Ends a message; empty if it has ended already. */
  synchronized Optional<T> end(Key key) {
    Entry<T> entry = entries.remove(key);
    if (entry == null) {
      return Optional.empty();
    }
    perPeer.computeIfPresent(key.to(), (to, count) -> count == 1 ? null : count - 1);
    return Optional.of(entry.what());
  }

  /** Messages that began before this time and have not ended. */
  synchronized List<Key> begunBefore(long time) {
    List<Key> keys = new ArrayList<>();
    entries.forEach(
        (key, entry) -> {
          if (entry.begun() - time < 0) {
            keys.add(key);
          }
        });
    return keys;
  }

  /** All messages under way. */
  synchronized List<Key> keys() {
    return List.copyOf(entries.keySet());
  }

  /** A message under way. */
  record Key(InetSocketAddress to, int id) {}

  private record Entry<T>(T what, long begun) {}
}
