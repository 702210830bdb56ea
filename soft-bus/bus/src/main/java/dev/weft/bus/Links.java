package dev.weft.bus;

import dev.weft.api.bus.Announcement;
import dev.weft.api.bus.Discovery;
import dev.weft.api.bus.Transport;
import dev.weft.core.bus.BusStatus;
import dev.weft.core.bus.LocalNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens transports and starts discoveries as they come, on one thread of its own, and tries again
 * where that failed. The first transport that opens carries the frames.
 */
final class Links implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Links.class);
  private static final long RETRY_SECONDS = 5;
  private static final long CLOSE_SECONDS = 8;
  private static final int PORTS_TRIED = 100;

  private final LocalNode self;
  private final int port;
  private final boolean discover;
  private final BusLoop loop;
  private final DiscoveryJournal journal = new DiscoveryJournal();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread created = new Thread(task, "weft-bus-links");
            created.setDaemon(true);
            return created;
          });
  private final Future<?> retries;
  private final String salt = random(4);
  private final String hostLabel = "weft-" + random(6);
  private final List<InetSocketAddress> managers = new ArrayList<>();

  // Used by the thread above only, but for the copies below.
  private final Map<Transport, String> transports = new LinkedHashMap<>();
  private final Map<Discovery, Optional<Discovery.Search>> discoveries = new LinkedHashMap<>();
  private Optional<Transport> carrier = Optional.empty();
  private Optional<Transport.Endpoint> endpoint = Optional.empty();

  private volatile List<String> endpoints = List.of();
  private volatile Optional<String> problem = Optional.of("no transport is open yet");

  Links(LocalNode self, int port, boolean discover, BusLoop loop) {
    this.self = self;
    this.port = port;
    this.discover = discover;
    this.loop = loop;
    insecure().ifPresent(LOG::warn);
    retries = thread.scheduleWithFixedDelay(this::tryAgain, 1, RETRY_SECONDS, TimeUnit.SECONDS);
  }

  private static String random(int bytes) {
    byte[] drawn = new byte[bytes];
    new SecureRandom().nextBytes(drawn);
    return HexFormat.of().formatHex(drawn);
  }

  private Optional<String> insecure() {
    List<String> open =
        self.addresses().stream()
            .filter(address -> !address.isLoopbackAddress())
            .map(InetAddress::getHostAddress)
            .toList();
    return open.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "insecure: anybody who reaches "
                + String.join(", ", open)
                + " can run programs here; links are not authenticated yet");
  }

  /** Greets a manager by address, for ever. */
  void greet(InetSocketAddress manager) {
    thread.execute(
        () -> {
          managers.add(manager);
          greetManagers();
        });
  }

  void add(Transport transport, String scheme) {
    thread.execute(
        () -> {
          transports.put(transport, scheme);
          tryAgain();
        });
  }

  void remove(Transport transport) {
    thread.execute(
        () -> {
          transports.remove(transport);
          if (carrier.equals(Optional.of(transport))) {
            closeEndpoint();
            tryAgain();
          }
        });
  }

  void add(Discovery discovery) {
    thread.execute(
        () -> {
          discoveries.put(discovery, Optional.empty());
          tryAgain();
        });
  }

  void remove(Discovery discovery) {
    thread.execute(
        () -> {
          Optional<Discovery.Search> search = discoveries.remove(discovery);
          if (search != null) {
            search.ifPresent(Discovery.Search::close);
          }
        });
  }

  private void tryAgain() {
    if (endpoint.isEmpty()) {
      transports.forEach(this::open);
    }
    if (endpoint.isPresent() && discover) {
      discoveries.replaceAll((discovery, search) -> search.isPresent() ? search : start(discovery));
    }
    greetManagers();
  }

  private void greetManagers() {
    if (endpoint.isEmpty()) {
      return;
    }
    // Resolved again each time: the address behind a name may change.
    for (InetSocketAddress manager : managers) {
      InetSocketAddress resolved =
          new InetSocketAddress(manager.getHostString(), manager.getPort());
      if (resolved.isUnresolved()) {
        problem = Optional.of("the manager's name " + manager.getHostString() + " is not known");
      } else {
        loop.post(new BusEvent.Configured(resolved));
      }
    }
  }

  private void open(Transport transport, String scheme) {
    if (endpoint.isPresent()) {
      return;
    }
    int last = port == 0 ? 0 : port + PORTS_TRIED;
    for (int tried = port; tried <= last; tried++) {
      try {
        Transport.Endpoint opened = transport.open(self.addresses(), tried, loop::received);
        endpoint = Optional.of(opened);
        carrier = Optional.of(transport);
        loop.open(opened);
        endpoints =
            opened.addresses().stream()
                .map(at -> scheme + "://" + at.getAddress().getHostAddress() + ":" + at.getPort())
                .toList();
        problem = Optional.empty();
        LOG.info("listens on {}", endpoints);
        return;
      } catch (IOException e) {
        if (tried == last) {
          report("cannot listen: " + e.getMessage());
        }
      }
    }
  }

  private void report(String what) {
    if (!problem.equals(Optional.of(what))) {
      LOG.warn("{}; trying again every {} s", what, RETRY_SECONDS);
    }
    problem = Optional.of(what);
  }

  private Optional<Discovery.Search> start(Discovery discovery) {
    String name = discovery.name();
    Announcement own =
        new Announcement(
            salt,
            Announcement.shortId(salt, self.id()),
            self.roles(),
            Frame.PROTOCOL,
            endpoint.orElseThrow().addresses().get(0).getPort(),
            hostLabel);
    try {
      return Optional.of(discovery.start(own, self.addresses(), new Listener(name)));
    } catch (IOException e) {
      journal.add(
          name,
          new Discovery.Trace("all", Discovery.Trace.Kind.FAILED, String.valueOf(e.getMessage())),
          Instant.now());
      return Optional.empty();
    }
  }

  /** Passes on what one discovery finds. */
  private final class Listener implements Discovery.Listener {
    private final String name;

    Listener(String name) {
      this.name = name;
    }

    @Override
    public void found(Discovery.Sighting sighting) {
      loop.post(new BusEvent.Sighted(name, sighting));
    }

    @Override
    public void lost(Discovery.Sighting sighting) {
      loop.post(new BusEvent.Lost(name, sighting));
    }

    @Override
    public void traced(Discovery.Trace trace) {
      journal.add(name, trace, Instant.now());
    }
  }

  BusStatus status(List<BusStatus.SightingStatus> sightings) {
    List<String> warnings = new ArrayList<>();
    insecure().ifPresent(warnings::add);
    problem.ifPresent(warnings::add);
    return new BusStatus(endpoints, warnings, journal.status(), sightings);
  }

  private void closeEndpoint() {
    endpoint.ifPresent(
        opened -> {
          loop.close(opened);
          opened.close();
        });
    endpoint = Optional.empty();
    carrier = Optional.empty();
    endpoints = List.of();
    problem = Optional.of("no transport is open");
  }

  /** Stops discoveries, then transports. */
  @Override
  public void close() {
    retries.cancel(false);
    thread.execute(
        () -> {
          discoveries.values().forEach(search -> search.ifPresent(Discovery.Search::close));
          discoveries.clear();
          closeEndpoint();
        });
    thread.shutdown();
    try {
      if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
