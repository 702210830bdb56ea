package dev.weft.bus;

import dev.weft.api.AttemptId;
import dev.weft.api.Bytes;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.TaskId;
import dev.weft.api.bus.Announcement;
import dev.weft.api.bus.Discovery;
import dev.weft.api.bus.Role;
import dev.weft.api.bus.Transport;
import dev.weft.core.bus.LocalNode;
import dev.weft.core.bus.MessageHandler;
import dev.weft.core.bus.Peer;
import dev.weft.core.bus.PeerListener;
import dev.weft.core.loop.Loop;
import dev.weft.core.message.Message;
import dev.weft.testkit.VirtualClock;
import dev.weft.testkit.network.FaultyNetwork;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A node with the real bus, on the faulty network instead of a thread and sockets. */
final class SimulatedNode implements Turns, PeerListener, MessageHandler {
  static final Duration LEASE = Duration.ofSeconds(10);
  static final int PORT = 7250;
  private static final int CAPACITY = 10_000;

  final LocalNode self;
  final BusLoop bus;
  final Map<Long, Integer> handled = new HashMap<>();
  final Map<NodeId, Peer> up = new HashMap<>();
  final Map<NodeId, Instant> wentDown = new HashMap<>();
  final List<String> wrong = new ArrayList<>();
  Duration handling = Duration.ZERO;
  boolean broken;
  private final FaultyNetwork network;
  private final VirtualClock clock;
  private final Deque<Runnable> queue = new ArrayDeque<>();
  private Optional<Loop.Handler<Runnable>> handler = Optional.empty();
  private Optional<Discovery.Search> search = Optional.empty();
  private Optional<Transport.Endpoint> endpoint = Optional.empty();
  private boolean alive = true;
  private boolean paused;
  private boolean turnComes;

  SimulatedNode(
      FaultyNetwork network, VirtualClock clock, int number, long boot, Role role, int... parts) {
    this.network = network;
    this.clock = clock;
    List<InetAddress> addresses = new ArrayList<>();
    for (int part : parts) {
      addresses.add(FaultyNetwork.address(part, number));
    }
    self = new LocalNode(id(number), boot, "node" + number, Set.of(role), addresses);
    bus =
        new BusLoop(
            self,
            LEASE,
            clock,
            () -> {
              throw new AssertionError("no status here");
            },
            made -> {
              handler = Optional.of(made);
              return this;
            });
    bus.addHandler(this);
    bus.addListener(this);
    connect();
    tick();
  }

  static NodeId id(int number) {
    return new NodeId("%064x".formatted(number));
  }

  private void connect() {
    try {
      Transport.Endpoint opened = network.transport().open(self.addresses(), PORT, this::received);
      endpoint = Optional.of(opened);
      bus.open(opened);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void received(InetSocketAddress from, byte[] frame) {
    if (alive) {
      bus.received(from, frame);
    }
  }

  SimulatedNode discover(String salt) {
    Announcement own =
        new Announcement(
            salt,
            Announcement.shortId(salt, self.id()),
            self.roles(),
            Frame.PROTOCOL,
            PORT,
            "host");
    try {
      search =
          Optional.of(
              network
                  .discovery()
                  .start(
                      own,
                      self.addresses(),
                      new Discovery.Listener() {
                        @Override
                        public void found(Discovery.Sighting sighting) {
                          bus.post(new BusEvent.Sighted("memory", sighting));
                        }

                        @Override
                        public void lost(Discovery.Sighting sighting) {
                          bus.post(new BusEvent.Lost("memory", sighting));
                        }

                        @Override
                        public void traced(Discovery.Trace trace) {}
                      }));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return this;
  }

  void configure(SimulatedNode manager) {
    bus.post(new BusEvent.Configured(new InetSocketAddress(manager.self.addresses().get(0), PORT)));
  }

  // Its life ----------------------------------------------------------------------------------

  boolean isAlive() {
    return alive;
  }

  boolean isPaused() {
    return paused;
  }

  /** As {@code kill -9} does. */
  void crash() {
    alive = false;
    queue.clear();
    network.crash(self.addresses());
  }

  /** As SIGTERM does. */
  void leave() {
    bus.leave(new CompletableFuture<>());
    search.ifPresent(Discovery.Search::close);
    endpoint.ifPresent(Transport.Endpoint::close);
    alive = false;
    queue.clear();
  }

  /** As SIGSTOP does: datagrams wait in the socket's buffer meanwhile. */
  void pause() {
    paused = true;
  }

  void resume() {
    paused = false;
    work();
    tickNow();
  }

  private void tick() {
    if (alive) {
      tickNow();
      network.later(BusLoop.TICK, this::tick);
    }
  }

  private void tickNow() {
    if (!paused) {
      handler.orElseThrow().tick(clock.instant());
    }
  }

  @Override
  public boolean offer(Runnable action) {
    if (!alive || queue.size() >= CAPACITY) {
      return false;
    }
    queue.add(action);
    if (!turnComes) {
      turnComes = true;
      network.later(Duration.ZERO, this::turn);
    }
    return true;
  }

  private void turn() {
    turnComes = false;
    work();
  }

  private void work() {
    if (paused) {
      return;
    }
    Loop.Handler<Runnable> loop = handler.orElseThrow();
    while (!queue.isEmpty()) {
      loop.handle(queue.poll(), clock.instant());
    }
    if (alive) {
      loop.idle(clock.instant());
    }
  }

  @Override
  public void start() {}

  @Override
  public void close() {}

  // What it is told ---------------------------------------------------------------------------

  @Override
  public void peerUp(Peer peer) {
    Peer before = up.put(peer.id(), peer);
    if (before != null && before.boot() > peer.boot()) {
      wrong.add(self.id() + " got an older boot of " + peer.id());
    }
    if (before != null && before.equals(peer)) {
      wrong.add(self.id() + " was told twice that " + peer.id() + " is up");
    }
  }

  @Override
  public void peerDown(Peer peer, Fault reason) {
    if (up.remove(peer.id()) == null) {
      wrong.add(self.id() + " lost " + peer.id() + ", which was not up");
    }
    wentDown.put(peer.id(), clock.instant());
  }

  @Override
  public Set<Class<? extends Message>> kinds() {
    return Set.of(Message.ReadLog.class);
  }

  @Override
  public void handle(Peer from, Message request, Consumer<Message> answer) {
    if (broken) {
      throw new IllegalStateException("broken on purpose");
    }
    long token = ((Message.ReadLog) request).offset();
    if (handled.merge(token, 1, Integer::sum) > 1) {
      wrong.add(self.id() + " handled request " + token + " twice");
    }
    Message reply = new Message.LogChunk(token, Bytes.of(from.id().hex()), true);
    if (handling.isZero()) {
      answer.accept(reply);
    } else {
      network.later(handling, () -> answer.accept(reply));
    }
  }

  /** A request that no other is like, if the token is not used twice. */
  static Message request(long token) {
    return new Message.ReadLog(
        new AttemptId(new TaskId(new JobId("0".repeat(32)), 0), 1), Message.Stream.OUTPUT, token);
  }
}
