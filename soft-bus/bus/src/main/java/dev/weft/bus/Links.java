package dev.weft.bus;

import dev.weft.api.bus.Announcement;
import dev.weft.api.bus.Discovery;
import dev.weft.api.bus.Transport;
import dev.weft.core.bus.BusStatus;
import dev.weft.core.bus.LocalNode;
import dev.weft.core.loop.PluginGuard;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens transports and starts discoveries as they come, on one thread of its own, and tries again
 * where that failed. The first transport that opens carries the frames. Addresses that the machine
 * does not have yet are left out, and taken in when they are there.
 */
final class Links implements AutoCloseable {
  /** How long to wait before what failed is tried again. */
  static final Duration RETRY = Duration.ofSeconds(5);

  /** How long a transport or discovery may take to open or close. */
  static final Duration OPENING = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(Links.class);
  private static final long CLOSE_SECONDS = 8;
  private static final int PORTS_TRIED = 100;

  private final LocalNode self;
  private final boolean discover;
  private final BusLoop loop;
  private final Foreign foreign;
  private final Searches searches;
  private final Duration retry;
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

  // Used by the thread above only.
  private final List<InetSocketAddress> managers = new ArrayList<>();
  private final Map<Transport, String> transports = new LinkedHashMap<>();
  private Optional<Carrier> carrier = Optional.empty();
  private int port;

  // Read by others.
  private final Map<String, String> problems = new ConcurrentSkipListMap<>();
  private volatile List<String> endpoints = List.of();

  /** The transport in use. */
  private record Carrier(
      Transport transport,
      String scheme,
      Transport.Endpoint endpoint,
      List<InetAddress> addresses,
      int port) {}

  Links(
      LocalNode self, int port, boolean discover, BusLoop loop, Duration retry, Duration opening) {
    this.self = self;
    this.port = port;
    this.discover = discover;
    this.loop = loop;
    this.retry = retry;
    this.foreign = new Foreign(opening);
    this.searches = new Searches(foreign, loop::post, Clock.systemUTC());
    problems.put("transport", "no transport is open yet");
    insecure().ifPresent(LOG::warn);
    long wait = retry.toMillis();
    retries = thread.scheduleWithFixedDelay(this::tryAgain, wait, wait, TimeUnit.MILLISECONDS);
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
          if (carrier.filter(current -> current.transport().equals(transport)).isPresent()) {
            closeEndpoint();
            tryAgain();
          }
        });
  }

  void add(Discovery discovery) {
    thread.execute(
        () -> {
          searches.add(discovery);
          tryAgain();
        });
  }

  void remove(Discovery discovery) {
    thread.execute(() -> searches.remove(discovery));
  }

  private void tryAgain() {
    List<InetAddress> addresses = LocalAddresses.present(self.addresses());
    reportMissing(addresses);
    if (carrier.filter(current -> !current.addresses().containsAll(addresses)).isPresent()) {
      LOG.info("listens again because addresses came");
      closeEndpoint();
    }
    if (carrier.isEmpty() && !addresses.isEmpty()) {
      transports.forEach((transport, scheme) -> open(transport, scheme, addresses));
    }
    if (discover) {
      carrier.ifPresent(current -> searches.start(announcement(current), current.addresses()));
    }
    greetManagers();
  }

  private void reportMissing(List<InetAddress> present) {
    String missing =
        self.addresses().stream()
            .filter(address -> !present.contains(address))
            .map(InetAddress::getHostAddress)
            .collect(Collectors.joining(", "));
    if (missing.isEmpty()) {
      problems.remove("addresses");
    } else {
      report("addresses", "this machine does not have " + missing + " now");
    }
  }

  private void greetManagers() {
    if (carrier.isEmpty()) {
      return;
    }
    // Resolved again each time: the address behind a name may change.
    for (InetSocketAddress manager : managers) {
      PluginGuard.Result<InetSocketAddress> result =
          foreign.open(
              "name service",
              () -> new InetSocketAddress(manager.getHostString(), manager.getPort()),
              late -> {});
      String topic = "manager " + manager.getHostString();
      if (result instanceof PluginGuard.Result.Value<InetSocketAddress> found
          && !found.value().isUnresolved()) {
        problems.remove(topic);
        loop.post(new BusEvent.Configured(found.value()));
      } else {
        report(topic, "the manager's name " + manager.getHostString() + " is not known");
      }
    }
  }

  private void open(Transport transport, String scheme, List<InetAddress> addresses) {
    if (carrier.isPresent()) {
      return;
    }
    int first = port;
    PluginGuard.Result<Opened> result =
        foreign.open(
            scheme, () -> open(transport, addresses, first), opened -> opened.endpoint().close());
    if (result instanceof PluginGuard.Result.Value<Opened> opened) {
      Transport.Endpoint endpoint = opened.value().endpoint();
      port = opened.value().at().get(0).getPort(); // kept when it is opened again
      carrier = Optional.of(new Carrier(transport, scheme, endpoint, addresses, port));
      loop.open(endpoint);
      endpoints =
          opened.value().at().stream().map(at -> scheme + "://" + HostPort.text(at)).toList();
      problems.remove("transport");
      LOG.info("listens on {}", endpoints);
    } else if (result instanceof PluginGuard.Result.Failure<Opened> failure) {
      report("transport", "cannot listen: " + failure.reason());
    }
  }

  /** What a transport opened, and where it says that it is. */
  private record Opened(Transport.Endpoint endpoint, List<InetSocketAddress> at) {}

  private Opened open(Transport transport, List<InetAddress> addresses, int first)
      throws IOException {
    int last = first == 0 ? 0 : Math.min(first + PORTS_TRIED, 65_535);
    for (int tried = first; ; tried++) {
      try {
        Transport.Endpoint endpoint = transport.open(addresses, tried, loop::received);
        List<InetSocketAddress> at = List.copyOf(endpoint.addresses());
        if (at.isEmpty()) {
          endpoint.close();
          throw new IOException("it says that it has no address");
        }
        return new Opened(endpoint, at);
      } catch (IOException e) {
        if (tried == last) {
          throw e;
        }
      }
    }
  }

  private void report(String topic, String what) {
    if (!what.equals(problems.put(topic, what))) {
      LOG.warn("{}; trying again every {} ms", what, retry.toMillis());
    }
  }

  private Announcement announcement(Carrier current) {
    return new Announcement(
        salt,
        Announcement.shortId(salt, self.id()),
        self.roles(),
        Frame.PROTOCOL,
        current.port(),
        hostLabel);
  }

  BusStatus status(List<BusStatus.SightingStatus> sightings) {
    List<String> warnings = new ArrayList<>();
    insecure().ifPresent(warnings::add);
    warnings.addAll(problems.values());
    return new BusStatus(endpoints, warnings, searches.status(), sightings);
  }

  /** Ends the endpoint, and the discoveries first, since they announce its port. */
  private void closeEndpoint() {
    searches.stop();
    carrier.ifPresent(
        current -> {
          loop.close(current.endpoint());
          foreign.close(current.scheme(), current.endpoint()::close);
        });
    carrier = Optional.empty();
    endpoints = List.of();
    problems.put("transport", "no transport is open");
  }

  /** Stops discoveries, then transports. */
  @Override
  public void close() {
    retries.cancel(false);
    thread.execute(this::closeEndpoint);
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
