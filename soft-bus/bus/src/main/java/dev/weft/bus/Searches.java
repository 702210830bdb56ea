package dev.weft.bus;

import dev.weft.api.bus.Announcement;
import dev.weft.api.bus.Discovery;
import dev.weft.core.bus.BusStatus.DiscoveryStatus;
import dev.weft.core.loop.PluginGuard;
import java.net.InetAddress;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The discoveries that are present, and what each does. Used by one thread, but for the status. */
final class Searches {
  private final Foreign foreign;
  private final Consumer<BusEvent> found;
  private final Clock clock;
  private final DiscoveryJournal journal = new DiscoveryJournal();
  private final Map<Discovery, Optional<Running>> discoveries = new LinkedHashMap<>();

  private record Running(String name, Discovery.Search search) {}

  /**
   * Without any discovery.
   *
   * @param found hears of what they find, on any thread
   * @param clock for the journal
   */
  Searches(Foreign foreign, Consumer<BusEvent> found, Clock clock) {
    this.foreign = foreign;
    this.found = found;
    this.clock = clock;
  }

  void add(Discovery discovery) {
    discoveries.put(discovery, Optional.empty());
  }

  void remove(Discovery discovery) {
    Optional<Running> running = discoveries.remove(discovery);
    if (running != null) {
      running.ifPresent(this::close);
    }
  }

  /** Starts those that are not running. */
  void start(Announcement own, List<InetAddress> addresses) {
    discoveries.replaceAll(
        (discovery, running) -> running.isPresent() ? running : start(discovery, own, addresses));
  }

  private Optional<Running> start(
      Discovery discovery, Announcement own, List<InetAddress> addresses) {
    String plugin = discovery.getClass().getSimpleName();
    PluginGuard.Result<Running> result =
        foreign.open(
            plugin,
            () -> {
              String name = discovery.name();
              return new Running(name, discovery.start(own, addresses, new Listener(name)));
            },
            running -> running.search().close());
    if (result instanceof PluginGuard.Result.Value<Running> started) {
      return Optional.of(started.value());
    }
    failed(plugin, ((PluginGuard.Result.Failure<Running>) result).reason());
    return Optional.empty();
  }

  private void failed(String plugin, String reason) {
    journal.add(
        plugin, new Discovery.Trace("all", Discovery.Trace.Kind.FAILED, reason), clock.instant());
  }

  /** Stops all of them; they can be started again. */
  void stop() {
    discoveries.values().forEach(running -> running.ifPresent(this::close));
    discoveries.replaceAll((discovery, running) -> Optional.empty());
  }

  private void close(Running running) {
    if (foreign.close(running.name(), running.search()::close)
        instanceof PluginGuard.Result.Failure<Boolean> failure) {
      failed(running.name(), failure.reason());
    }
  }

  /** What they did so far; on any thread. */
  List<DiscoveryStatus> status() {
    return journal.status();
  }

  /** Passes on what one discovery finds. */
  private final class Listener implements Discovery.Listener {
    private final String name;

    Listener(String name) {
      this.name = name;
    }

    @Override
    public void found(Discovery.Sighting sighting) {
      found.accept(new BusEvent.Sighted(name, sighting));
    }

    @Override
    public void lost(Discovery.Sighting sighting) {
      found.accept(new BusEvent.Lost(name, sighting));
    }

    @Override
    public void traced(Discovery.Trace trace) {
      journal.add(name, trace, clock.instant());
    }
  }
}
