package dev.weft.bus;

import dev.weft.api.Bytes;
import dev.weft.api.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What is remembered of peers that are down: that a boot is over, so that a late word of it does
 * not bring it back, and which requests were handled, so that none is handled again after a lost
 * link.
 */
final class Departed {
  /** How long: longer than any request is repeated. */
  static final Duration KEPT = Requests.LONGEST_DEADLINE.plusMinutes(1);

  private static final int MAXIMUM = 100_000;

  private final Map<NodeId, Entry> entries = new LinkedHashMap<>();

  /**
   * One of them.
   *
   * @param boot its boot number
   * @param handled its requests
   * @param left whether it said goodbye, so that this boot never comes back
   * @param at when it went
   */
  record Entry(long boot, HandledRequests handled, boolean left, Instant at) {
    /** Whether what this boot says comes too late. */
    boolean isOver(long otherBoot) {
      return boot > otherBoot || (left && boot == otherBoot);
    }
  }

  void add(NodeId id, Entry entry) {
    entries.remove(id); // so that it goes to the end
    entries.put(id, entry);
    if (entries.size() > MAXIMUM) {
      Iterator<NodeId> oldest = entries.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
  }

  Optional<Entry> find(NodeId id) {
    return Optional.ofNullable(entries.get(id));
  }

  /** Takes out a node that is back; its requests if it is the same boot, else none. */
  HandledRequests comeBack(NodeId id, long boot) {
    Entry entry = entries.remove(id);
    return entry != null && entry.boot() == boot ? entry.handled() : new HandledRequests();
  }

  /** A handler has answered a request of a peer that went meanwhile. */
  void answered(BusEffect.Delivery delivery, Bytes body, Instant now) {
    find(delivery.peer())
        .filter(entry -> entry.boot() == delivery.boot())
        .ifPresent(entry -> entry.handled().answered(delivery.id(), body, now));
  }

  void expire(Instant now) {
    Iterator<Entry> all = entries.values().iterator();
    while (all.hasNext() && !all.next().at().plus(KEPT).isAfter(now)) {
      all.remove();
    }
    entries.values().forEach(entry -> entry.handled().expire(now));
  }
}
