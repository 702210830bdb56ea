package dev.weft.testkit.network;

import dev.weft.api.bus.Announcement;
import dev.weft.api.bus.Discovery;
import dev.weft.api.bus.Transport;
import dev.weft.testkit.VirtualClock;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A network in memory with a {@link Transport} and a {@link Discovery} for any number of nodes.
 * Same seed and same calls: same faults. For one thread, which also runs everything that the
 * network calls; nothing happens but in {@link #runUntil}.
 */
public final class FaultyNetwork {
  /** Largest frame that it carries, in bytes; about what CoAP block-wise transfer carries. */
  public static final int MAXIMUM_FRAME = 60 * 1024;

  private static final Duration NOT_DELIVERED_AFTER = Duration.ofSeconds(2);
  private static final Duration ANNOUNCED_EVERY = Duration.ofSeconds(20);
  private static final int FIRST_FREE_PORT = 40_000;

  private final VirtualClock clock;
  private final Random random;
  private final PriorityQueue<Action> agenda =
      new PriorityQueue<>(
          Comparator.comparing(Action::at).thenComparing(Comparator.comparingLong(Action::order)));
  private final Map<InetSocketAddress, MemoryEndpoint> endpoints = new HashMap<>();
  private final Set<MemorySearch> searches = new LinkedHashSet<>();
  private final Set<InetAddress> island = new HashSet<>();
  private final Set<InetAddress> unplugged = new HashSet<>();
  private final Set<InetAddress> muted = new HashSet<>();
  private Faults faults = Faults.NONE;
  private long order;
  private long carried;
  private int freePort = FIRST_FREE_PORT;

  private record Action(Instant at, long order, Runnable action) {}

  /** A network without faults, at the time of the clock, which it moves. */
  public FaultyNetwork(long seed, VirtualClock clock) {
    this.clock = clock;
    this.random = new Random(seed);
  }

  /** An address for a node of the network, 10.{@code part}.{@code node}. */
  public static InetAddress address(int part, int node) {
    try {
      byte[] bytes = {10, (byte) part, (byte) (node >> 8), (byte) node};
      return InetAddress.getByAddress(bytes);
    } catch (IOException e) {
      throw new IllegalStateException("four bytes are an address", e);
    }
  }

  /** From now on it behaves like this. */
  public void faults(Faults now) {
    faults = now;
  }

  /** Cuts these addresses off from all others; among themselves they still reach each other. */
  public void partition(Collection<InetAddress> addresses) {
    island.clear();
    island.addAll(addresses);
  }

  /** Ends the partition. */
  public void heal() {
    island.clear();
  }

  /** Takes an address off the network. */
  public void unplug(InetAddress address) {
    unplugged.add(address);
  }

  /** Loses everything that comes from an address; what goes there still arrives. */
  public void mute(InetAddress address) {
    muted.add(address);
  }

  /** Ends {@link #unplug} and {@link #mute}. */
  public void plug(InetAddress address) {
    unplugged.remove(address);
    muted.remove(address);
  }

  /** Ends everything at these addresses without a word, as {@code kill -9} does. */
  public void crash(Collection<InetAddress> addresses) {
    endpoints.values().removeIf(endpoint -> addresses.contains(endpoint.own.get(0).getAddress()));
    searches.removeIf(search -> addresses.contains(search.addresses.get(0)));
  }

  /** Runs something after a time. */
  public void later(Duration delay, Runnable action) {
    agenda.add(new Action(clock.instant().plus(delay), order++, action));
  }

  /** Lets time pass, and all that happens in it happen. */
  public void runUntil(Instant end) {
    while (!agenda.isEmpty() && !agenda.peek().at().isAfter(end)) {
      Action next = agenda.poll();
      clock.moveTo(next.at());
      next.action().run();
    }
    clock.moveTo(end);
  }

  /** Lets some time pass. */
  public void run(Duration time) {
    runUntil(clock.instant().plus(time));
  }

  /** How many frames have arrived so far. */
  public long carried() {
    return carried;
  }

  /** The transport of every node of this network. */
  public Transport transport() {
    return (addresses, port, receiver) -> {
      int taken = port == 0 ? freePort++ : port;
      List<InetSocketAddress> own =
          addresses.stream().map(address -> new InetSocketAddress(address, taken)).toList();
      for (InetSocketAddress one : own) {
        if (endpoints.containsKey(one)) {
          throw new BindException("port " + taken + " is taken at " + one.getAddress());
        }
      }
      MemoryEndpoint endpoint = new MemoryEndpoint(own, receiver);
      own.forEach(one -> endpoints.put(one, endpoint));
      return endpoint;
    };
  }

  /** A discovery that shows every node to every other at each of its addresses, and to itself. */
  public Discovery discovery() {
    return new MemoryDiscovery();
  }

  private boolean isLost(InetAddress from, InetAddress to) {
    return muted.contains(from)
        || unplugged.contains(from)
        || unplugged.contains(to)
        || island.contains(from) != island.contains(to)
        || random.nextDouble() < faults.loss();
  }

  private Duration delay() {
    long spread = faults.longest().minus(faults.shortest()).toNanos();
    return faults.shortest().plusNanos(spread == 0 ? 0 : (long) (random.nextDouble() * spread));
  }

  /** Carries something from one address to another, once, twice or never. */
  private boolean carry(InetAddress from, InetAddress to, Runnable arrival) {
    if (isLost(from, to)) {
      return false;
    }
    later(delay(), arrival);
    if (random.nextDouble() < faults.duplication()) {
      later(delay(), arrival);
    }
    return true;
  }

  private final class MemoryEndpoint implements Transport.Endpoint {
    private final List<InetSocketAddress> own;
    private final Transport.Receiver receiver;

    MemoryEndpoint(List<InetSocketAddress> own, Transport.Receiver receiver) {
      this.own = own;
      this.receiver = receiver;
    }

    @Override
    public List<InetSocketAddress> addresses() {
      return own;
    }

    @Override
    public int maximumFrame() {
      return MAXIMUM_FRAME;
    }

    /** The own address in the same part of the network, as a routing table would choose. */
    private InetSocketAddress source(InetSocketAddress to) {
      byte part = to.getAddress().getAddress()[1];
      return own.stream()
          .filter(one -> one.getAddress().getAddress()[1] == part)
          .findFirst()
          .orElse(own.get(0));
    }

    @Override
    public void send(InetSocketAddress to, byte[] frame, Consumer<Transport.Sent> done) {
      if (frame.length > MAXIMUM_FRAME) {
        throw new AssertionError("a frame of " + frame.length + " bytes was sent");
      }
      InetSocketAddress from = source(to);
      boolean isOnItsWay =
          endpoints.get(from) == this
              && carry(from.getAddress(), to.getAddress(), () -> arrive(from, to, frame));
      boolean isAcknowledged =
          isOnItsWay && endpoints.containsKey(to) && !isLost(to.getAddress(), from.getAddress());
      if (isAcknowledged) {
        later(faults.longest(), () -> done.accept(new Transport.Sent.Delivered()));
      } else {
        later(
            NOT_DELIVERED_AFTER,
            () -> done.accept(new Transport.Sent.Failed("no acknowledgement")));
      }
    }

    private void arrive(InetSocketAddress from, InetSocketAddress to, byte[] frame) {
      MemoryEndpoint receiving = endpoints.get(to);
      // The sender may be gone by now: what was on its way still arrives.
      if (receiving != null) {
        carried++;
        receiving.receiver.received(from, frame.clone());
      }
    }

    @Override
    public void close() {
      endpoints.values().removeIf(endpoint -> endpoint == this);
    }
  }

  private final class MemoryDiscovery implements Discovery {
    @Override
    public String name() {
      return "memory";
    }

    @Override
    public Search start(Announcement own, List<InetAddress> addresses, Listener listener) {
      MemorySearch search = new MemorySearch(own, List.copyOf(addresses), listener);
      searches.add(search);
      search.announce();
      return search;
    }
  }

  private final class MemorySearch implements Discovery.Search {
    private final Announcement own;
    private final List<InetAddress> addresses;
    private final Discovery.Listener listener;

    MemorySearch(Announcement own, List<InetAddress> addresses, Discovery.Listener listener) {
      this.own = own;
      this.addresses = addresses;
      this.listener = listener;
    }

    private void announce() {
      if (!searches.contains(this)) {
        return;
      }
      for (MemorySearch other : new ArrayList<>(searches)) {
        show(this, other);
        if (other != this) {
          show(other, this); // a newcomer asks, and those who are there answer
        }
      }
      later(ANNOUNCED_EVERY, this::announce);
    }

    private void show(MemorySearch shown, MemorySearch to) {
      for (InetAddress address : shown.addresses) {
        carry(address, to.addresses.get(0), () -> to.hear(shown, address));
      }
    }

    private void hear(MemorySearch shown, InetAddress address) {
      if (searches.contains(this) && searches.contains(shown)) {
        listener.found(shown.sighting(address));
      }
    }

    private Discovery.Sighting sighting(InetAddress address) {
      return new Discovery.Sighting(own, new InetSocketAddress(address, own.port()), "memory0");
    }

    @Override
    public void close() {
      if (searches.remove(this)) {
        for (MemorySearch other : searches) {
          for (InetAddress address : addresses) {
            carry(
                address, other.addresses.get(0), () -> other.listener.lost(this.sighting(address)));
          }
        }
      }
    }
  }
}
