package dev.weft.bus;

import dev.weft.api.Bytes;
import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import dev.weft.api.bus.Role;
import dev.weft.api.bus.Transport;
import dev.weft.core.bus.Bus;
import dev.weft.core.bus.BusStatus;
import dev.weft.core.bus.LocalNode;
import dev.weft.core.bus.MessageHandler;
import dev.weft.core.bus.Peer;
import dev.weft.core.bus.PeerListener;
import dev.weft.core.loop.Loop;
import dev.weft.core.message.Message;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives {@link BusCore} its thread and carries out what it wants done. */
final class BusLoop implements Bus, Loop.Handler<Runnable> {
  private static final Logger LOG = LoggerFactory.getLogger(BusLoop.class);
  private static final int CAPACITY = 32_768;
  private static final int FULL_OUTBOX = 128;
  private static final Duration TICK = Duration.ofMillis(50);
  private static final InetSocketAddress NOWHERE = InetSocketAddress.createUnresolved("self", 0);

  private final LocalNode self;
  private final BusCore core;
  private final WireCodec codec;
  private final Clock clock;
  private final Loop<Runnable> loop;
  private final Outbox outbox;
  private final Supplier<BusStatus> status;
  private final Optional<Peer> itself;
  private final AtomicLong ids = new AtomicLong();
  private final Map<Long, CompletableFuture<Message>> open = new ConcurrentHashMap<>();
  private final Map<Class<? extends Message>, MessageHandler> handlers = new ConcurrentHashMap<>();
  private final List<PeerListener> listeners = new CopyOnWriteArrayList<>();
  private final AtomicReference<Optional<Transport.Endpoint>> endpoint =
      new AtomicReference<>(Optional.empty());
  private volatile List<Peer> peers = List.of();
  private volatile List<BusStatus.SightingStatus> sightings = List.of();
  private Instant now;

  BusLoop(LocalNode self, Duration lease, Clock clock, Supplier<BusStatus> status) {
    this.self = self;
    this.clock = clock;
    this.status = status;
    this.codec = new WireCodec();
    this.core = new BusCore(self, lease, codec);
    this.outbox = new Outbox(self.id(), self.boot(), codec);
    this.loop = new Loop<>("weft-bus", CAPACITY, TICK, clock, this);
    this.now = clock.instant();
    boolean both = self.roles().contains(Role.MANAGER) && self.roles().contains(Role.AGENT);
    this.itself =
        both
            ? Optional.of(
                new Peer(self.id(), self.boot(), self.hostName(), self.roles(), address(), "self"))
            : Optional.empty();
    publish();
  }

  /** Where this node reaches itself: only staging connects there. */
  private InetSocketAddress address() {
    return self.addresses().isEmpty() ? NOWHERE : new InetSocketAddress(self.addresses().get(0), 0);
  }

  void start() {
    loop.start();
  }

  /** Says goodbye and stops. */
  void stop() {
    CompletableFuture<Void> left = new CompletableFuture<>();
    if (loop.offer(
        () -> {
          carryOut(core.leave());
          flush();
          left.complete(null);
        })) {
      left.completeOnTimeout(null, 1, TimeUnit.SECONDS).join();
    }
    loop.close();
    open.values().forEach(future -> future.complete(failed(Requests.down(self.id()))));
  }

  // What bundles ask for ----------------------------------------------------------------------

  @Override
  public CompletionStage<Message> request(NodeId to, Message request, Duration deadline) {
    CompletableFuture<Message> future = new CompletableFuture<>();
    if (to.equals(self.id()) && itself.isPresent()) {
      offerOrFail(future, () -> handle(itself.get(), request, future::complete));
      return future;
    }
    Optional<Bytes> body = codec.encode(request);
    if (body.isEmpty()) {
      future.complete(
          failed(
              new Fault(
                  "message.too-long",
                  Fault.Category.INTERNAL,
                  "a " + request.getClass().getSimpleName() + " does not fit one message",
                  false)));
      return future;
    }
    long id = ids.incrementAndGet();
    open.put(id, future);
    Instant until = clock.instant().plus(deadline);
    if (!loop.offer(() -> event(new BusEvent.Submitted(id, to, body.get(), until)))) {
      open.remove(id);
      future.complete(failed(Requests.full()));
    }
    return future;
  }

  private void offerOrFail(CompletableFuture<Message> future, Runnable action) {
    if (!loop.offer(action)) {
      future.complete(failed(Requests.full()));
    }
  }

  @Override
  public List<Peer> peers() {
    return peers;
  }

  @Override
  public Optional<Peer> peer(NodeId id) {
    return peers.stream().filter(peer -> peer.id().equals(id)).findFirst();
  }

  @Override
  public BusStatus status() {
    return status.get();
  }

  List<BusStatus.SightingStatus> sightings() {
    return sightings;
  }

  // What the component brings -----------------------------------------------------------------

  /** Something has happened. Dropped if too much waits: everything is said again or found out. */
  void post(BusEvent event) {
    loop.offer(() -> event(event));
  }

  /** A frame from a transport. */
  void received(InetSocketAddress from, byte[] bytes) {
    if (codec.decode(bytes) instanceof WireCodec.Decoded.Good<Frame> good) {
      post(new BusEvent.Received(from, good.value()));
    }
  }

  void open(Transport.Endpoint opened) {
    endpoint.set(Optional.of(opened));
  }

  void close(Transport.Endpoint closed) {
    endpoint.updateAndGet(
        current -> current.equals(Optional.of(closed)) ? Optional.empty() : current);
  }

  void addHandler(MessageHandler handler) {
    handler.kinds().forEach(kind -> handlers.put(kind, handler));
  }

  void removeHandler(MessageHandler handler) {
    handler.kinds().forEach(kind -> handlers.remove(kind, handler));
  }

  void addListener(PeerListener listener) {
    loop.offer(
        () -> {
          listeners.add(listener);
          itself.ifPresent(listener::peerUp);
          core.peers().forEach(listener::peerUp);
        });
  }

  void removeListener(PeerListener listener) {
    listeners.remove(listener);
  }

  // On the loop's thread ----------------------------------------------------------------------

  @Override
  public void handle(Runnable action, Instant time) {
    now = time;
    action.run();
    if (outbox.size() >= FULL_OUTBOX) {
      flush();
    }
  }

  @Override
  public void tick(Instant time) {
    now = time;
    carryOut(core.handleTick(time));
    sightings = core.sightings();
    flush();
  }

  @Override
  public void idle(Instant time) {
    flush();
  }

  private void event(BusEvent event) {
    carryOut(core.handle(event, now));
  }

  private void carryOut(List<BusEffect> effects) {
    for (BusEffect effect : effects) {
      if (effect instanceof BusEffect.Send send) {
        outbox.add(send.to(), send.envelope());
      } else if (effect instanceof BusEffect.Deliver deliver) {
        deliver(deliver);
      } else if (effect instanceof BusEffect.Complete complete) {
        complete(complete.id(), answer(complete.answer()));
      } else if (effect instanceof BusEffect.Fail fail) {
        complete(fail.id(), failed(fail.fault()));
      } else if (effect instanceof BusEffect.Up up) {
        publish();
        LOG.info("node {} ({}) is up at {}", up.peer().id(), up.peer().hostName(), at(up.peer()));
        listeners.forEach(listener -> listener.peerUp(up.peer()));
      } else if (effect instanceof BusEffect.Down down) {
        publish();
        LOG.info("node {} is down: {}", down.peer().id(), down.reason().message());
        listeners.forEach(listener -> listener.peerDown(down.peer(), down.reason()));
      }
    }
  }

  private static String at(Peer peer) {
    return peer.address() + ", found by " + peer.via();
  }

  private void publish() {
    List<Peer> all = new ArrayList<>(core.peers());
    itself.ifPresent(all::add);
    peers = List.copyOf(all);
  }

  private void complete(long id, Message answer) {
    CompletableFuture<Message> future = open.remove(id);
    if (future != null) {
      future.complete(answer);
    }
  }

  private Message answer(Bytes body) {
    return codec.decodeMessage(body) instanceof WireCodec.Decoded.Good<Message> good
        ? good.value()
        : failed(
            new Fault(
                "answer.unreadable",
                Fault.Category.EXTERNAL,
                "the answer cannot be read; do both nodes run the same version?",
                false));
  }

  private void deliver(BusEffect.Deliver deliver) {
    Consumer<Message> answer =
        message -> {
          Bytes body = codec.encode(message).orElseGet(() -> tooLong(message));
          post(new BusEvent.Answered(deliver.delivery(), body));
        };
    WireCodec.Decoded<Message> decoded = codec.decodeMessage(deliver.body());
    if (decoded instanceof WireCodec.Decoded.Good<Message> good) {
      handle(deliver.from(), good.value(), answer);
    } else {
      String reason = ((WireCodec.Decoded.Bad<Message>) decoded).reason();
      answer.accept(failed(new Fault("message.unknown", Fault.Category.EXTERNAL, reason, false)));
    }
  }

  private Bytes tooLong(Message message) {
    LOG.error("the answer {} does not fit one message", message.getClass().getSimpleName());
    return codec
        .encode(
            failed(
                new Fault(
                    "message.too-long",
                    Fault.Category.INTERNAL,
                    "the answer does not fit one message",
                    false)))
        .orElseThrow();
  }

  private void handle(Peer from, Message request, Consumer<Message> answer) {
    MessageHandler handler = handlers.get(request.getClass());
    if (handler == null) {
      answer.accept(
          failed(
              new Fault(
                  "message.unserved",
                  Fault.Category.RESOURCES,
                  "nobody on this node serves " + request.getClass().getSimpleName(),
                  true)));
    } else {
      handler.handle(from, request, answer);
    }
  }

  private void flush() {
    if (outbox.size() == 0) {
      return;
    }
    Optional<Transport.Endpoint> current = endpoint.get();
    if (current.isPresent()) {
      outbox.flush(current.get(), this::sent);
    } else {
      outbox.clear();
    }
  }

  private void sent(InetSocketAddress to, Transport.Sent result) {
    if (result instanceof Transport.Sent.Failed) {
      post(new BusEvent.NotSent(to));
    }
  }

  private static Message failed(Fault fault) {
    return new Message.Failed(fault);
  }
}
