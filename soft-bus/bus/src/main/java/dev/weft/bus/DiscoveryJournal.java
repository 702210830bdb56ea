package dev.weft.bus;

import dev.weft.api.bus.Discovery.Trace;
import dev.weft.core.bus.BusStatus.DiscoveryStatus;
import dev.weft.core.bus.BusStatus.Line;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What every discovery did on every interface, so that nothing is silent. Thread-safe. */
final class DiscoveryJournal {
  private static final int MAXIMUM_LINES = 32;
  private static final int MAXIMUM_CHANNELS = 256;

  private final Map<String, Channel> channels = new TreeMap<>();

  private static final class Channel {
    final String discovery;
    final String networkInterface;
    final Map<Trace.Kind, Long> counts = new EnumMap<>(Trace.Kind.class);
    final Deque<Line> recent = new ArrayDeque<>();

    Channel(String discovery, String networkInterface) {
      this.discovery = discovery;
      this.networkInterface = networkInterface;
    }

    long count(Trace.Kind kind) {
      return counts.getOrDefault(kind, 0L);
    }
  }

  synchronized void add(String discovery, Trace trace, Instant now) {
    String key = discovery + " " + trace.networkInterface();
    if (channels.size() >= MAXIMUM_CHANNELS && !channels.containsKey(key)) {
      return;
    }
    Channel channel =
        channels.computeIfAbsent(key, name -> new Channel(discovery, trace.networkInterface()));
    channel.counts.merge(trace.kind(), 1L, Long::sum);
    channel.recent.addFirst(new Line(now, trace.kind(), trace.detail()));
    if (channel.recent.size() > MAXIMUM_LINES) {
      channel.recent.removeLast();
    }
  }

  synchronized List<DiscoveryStatus> status() {
    List<DiscoveryStatus> all = new ArrayList<>();
    for (Channel channel : channels.values()) {
      all.add(
          new DiscoveryStatus(
              channel.discovery,
              channel.networkInterface,
              channel.count(Trace.Kind.SENT),
              channel.count(Trace.Kind.RECEIVED),
              channel.count(Trace.Kind.DROPPED),
              channel.count(Trace.Kind.FAILED),
              List.copyOf(channel.recent)));
    }
    return all;
  }
}
