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
import dev.weft.core.loop.SteadyClock;
import dev.weft.core.message.Message;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives {@link BusCore} its thread and carries out what it wants done. */
final class BusLoop implements Bus, Loop.Handler<Runnable> {
  private static final Logger LOG = LoggerFactory.getLogger(BusLoop.class);
  private static final int CAPACITY = 32_768;
  private static final int FULL_OUTBOX = 128;
  private static final int TICKS_PER_SNAPSHOT = 10;
  private static final Duration GOODBYE = Duration.ofMillis(500);
  // Ids rise from boot to boot, so that a late answer to a former life is none to this one.
  private static final int BITS_OF_A_BOOT = 32;
  private static final long LAST_BOOT = (1L << 31) - 1;

  /** How often the bus is told the time. */
  static final Duration TICK = Duration.ofMillis(50);

  private static final InetSocketAddress NOWHERE = InetSocketAddress.createUnresolved("self", 0);

  private final LocalNode self;
  private final BusCore core;
  private final WireCodec codec;
  private final Clock clock;
  private final Turns turns;
  private final Outbox outbox;
  private final Supplier<BusStatus> status;
  private final Optional<Peer> itself;
  private final AtomicLong ids;
  private final Map<Long, CompletableFuture<Message>> open = new ConcurrentHashMap<>();
  private final Map<Class<? extends Message>, MessageHandler> handlers = new ConcurrentHashMap<>();
  private final Set<PeerListener> present = ConcurrentHashMap.newKeySet();
  private final List<PeerListener> listeners = new CopyOnWriteArrayList<>();
  private final Queue<BusEvent.Answered> lateAnswers = new ConcurrentLinkedQueue<>();
  private final AtomicReference<Optional<Transport.Endpoint>> endpoint =
      new AtomicReference<>(Optional.empty());
  private volatile List<Peer> peers = List.of();
  private volatile List<BusStatus.SightingStatus> sightings = List.of();
  private final Queue<Own> own = new PriorityQueue<>(Comparator.comparing(Own::until));
  private Instant now;
  private long ticks;

  /** A request of this node to itself, which may have been answered. */
  private record Own(long id, Instant until) {}

  /** A bus with a thread of its own. */
  static BusLoop threaded(LocalNode self, Duration lease, Supplier<BusStatus> status) {
    Clock clock = new SteadyClock();
    return new BusLoop(
        self,
        lease,
        clock,
        status,
        handler -> new Threaded(new Loop<>("weft-bus", CAPACITY, TICK, clock, handler)));
  }

  private record Threaded(Loop<Runnable> loop) implements Turns {
    @Override
    public boolean offer(Runnable action) {
      return loop.offer(action);
    }

    @Override
    public void start() {
      loop.start();
    }

    @Override
    public void close() {
      loop.close();
    }
  }

  BusLoop(
      LocalNode self,
      Duration lease,
      Clock clock,
      Supplier<BusStatus> status,
      Function<Loop.Handler<Runnable>, Turns> turns) {
    this.self = self;
    this.ids = new AtomicLong((self.boot() & LAST_BOOT) << BITS_OF_A_BOOT);
    this.clock = clock;
    this.status = status;
    this.codec = new WireCodec();
    this.core = new BusCore(self, lease, codec);
    this.outbox = new Outbox(self.id(), self.boot(), codec);
    this.turns = turns.apply(this);
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
    turns.start();
  }

  /** Says goodbye, waits a moment for it to be out, and stops. */
  void stop() {
    CompletableFuture<Void> left = new CompletableFuture<>();
    if (turns.offer(() -> leave(left))) {
      left.completeOnTimeout(null, GOODBYE.toMillis(), TimeUnit.MILLISECONDS).join();
    }
    turns.close();
    open.values().forEach(future -> future.complete(failed(BusFaults.down(self.id()))));
  }

  /** Says goodbye; {@code left} completes when every frame is out or lost. */
  void leave(CompletableFuture<Void> left) {
    flush();
    carryOut(core.leave());
    AtomicInteger frames = new AtomicInteger(1);
    endpoint
        .get()
        .ifPresent(
            current ->
                outbox.flush(
                    current, frames::incrementAndGet, (to, result) -> countDown(frames, left)));
    countDown(frames, left);
  }

  private static void countDown(AtomicInteger frames, CompletableFuture<Void> left) {
    if (frames.decrementAndGet() == 0) {
      left.complete(null);
    }
  }

  // What bundles ask for ----------------------------------------------------------------------

  @Override
  public CompletionStage<Message> request(NodeId to, Message request, Duration deadline) {
    CompletableFuture<Message> future = new CompletableFuture<>();
    String kind = WireCodec.nameOf(request);
    Instant until = clock.instant().plus(bounded(deadline));
    long id = ids.incrementAndGet();
    if (to.equals(self.id()) && itself.isPresent()) {
      submit(id, future, () -> askItself(itself.get(), id, request, until));
      return future;
    }
    Bytes body;
    try {
      body = codec.encode(request);
    } catch (IllegalArgumentException e) {
      future.complete(failed(BusFaults.unknown("a " + kind + " that has no wire form: " + e)));
      return future;
    }
    if (body.length() > maximumBody()) {
      future.complete(failed(BusFaults.tooLong(kind, body.length(), maximumBody())));
      return future;
    }
    submit(id, future, () -> event(new BusEvent.Submitted(id, to, body, until)));
    return future;
  }

  private void submit(long id, CompletableFuture<Message> future, Runnable action) {
    open.put(id, future);
    if (open.size() > Requests.MAXIMUM || !turns.offer(action)) {
      open.remove(id);
      future.complete(failed(BusFaults.full()));
    }
  }

  /** The answer comes in a turn of its own, as that of another node would. */
  private void askItself(Peer itself, long id, Message request, Instant until) {
    own.add(new Own(id, until));
    handle(itself, request, answer -> turns.offer(() -> complete(id, answer)));
  }

  private static Duration bounded(Duration deadline) {
    Duration shorter =
        deadline.compareTo(Requests.LONGEST_DEADLINE) < 0 ? deadline : Requests.LONGEST_DEADLINE;
    return shorter.isNegative() ? Duration.ZERO : shorter;
  }

  /** Longest message that the transport in use carries in one frame. */
  private int maximumBody() {
    return endpoint
        .get()
        .map(Transport.Endpoint::maximumFrame)
        .map(frame -> Math.min(WireCodec.MAXIMUM_BODY, WireCodec.longestBody(frame)))
        .orElse(WireCodec.MAXIMUM_BODY);
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
    if (!turns.offer(() -> event(event)) && event instanceof BusEvent.Answered answered) {
      lateAnswers.add(answered); // no more than there are requests under way
    }
  }

  /** A frame from a transport. */
  void received(InetSocketAddress from, byte[] bytes) {
    WireCodec.Decoded<Frame> decoded = codec.decode(bytes);
    if (decoded instanceof WireCodec.Decoded.Good<Frame> good) {
      post(new BusEvent.Received(from, good.value()));
    } else if (decoded instanceof WireCodec.Decoded.Bad<Frame> bad) {
      post(new BusEvent.Unreadable(from, bad.reason()));
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
    present.add(listener);
    turns.offer(
        () -> {
          if (present.contains(listener)) {
            listeners.add(listener);
            peers.forEach(peer -> guarded("a peer listener", () -> listener.peerUp(peer)));
          }
        });
  }

  void removeListener(PeerListener listener) {
    present.remove(listener);
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
    for (BusEvent answer = lateAnswers.poll(); answer != null; answer = lateAnswers.poll()) {
      event(answer);
    }
    while (!own.isEmpty() && !own.peek().until().isAfter(time)) {
      complete(own.poll().id(), failed(BusFaults.silent(self.id())));
    }
    carryOut(core.handleTick(time));
    if (ticks++ % TICKS_PER_SNAPSHOT == 0) {
      sightings = core.sightings();
    }
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
        tell(listener -> listener.peerUp(up.peer()));
      } else if (effect instanceof BusEffect.Down down) {
        publish();
        LOG.info("node {} is down: {}", down.peer().id(), down.reason().message());
        tell(listener -> listener.peerDown(down.peer(), down.reason()));
      }
    }
  }

  private static String at(Peer peer) {
    return HostPort.text(peer.address()) + ", found by " + peer.via();
  }

  private void publish() {
    List<Peer> all = new ArrayList<>(core.peers());
    itself.ifPresent(all::add);
    all.sort(Comparator.comparing(Peer::id));
    peers = List.copyOf(all);
  }

  private void complete(long id, Message answer) {
    CompletableFuture<Message> future = open.remove(id);
    if (future != null) {
      future.complete(answer);
    }
  }

  private void tell(Consumer<PeerListener> news) {
    listeners.forEach(listener -> guarded("a peer listener", () -> news.accept(listener)));
  }

  /** What bundles do wrong must not keep the bus from its other work. */
  private static boolean guarded(String what, Runnable call) {
    try {
      call.run();
      return true;
    } catch (RuntimeException e) {
      LOG.error("{} failed", what, e);
      return false;
    }
  }

  private Message answer(Bytes body) {
    return codec.decodeMessage(body) instanceof WireCodec.Decoded.Good<Message> good
        ? good.value()
        : failed(BusFaults.unreadable());
  }

  private void deliver(BusEffect.Deliver deliver) {
    Consumer<Message> answer =
        message -> post(new BusEvent.Answered(deliver.delivery(), wireForm(message)));
    WireCodec.Decoded<Message> decoded = codec.decodeMessage(deliver.body());
    if (decoded instanceof WireCodec.Decoded.Good<Message> good) {
      handle(deliver.from(), good.value(), answer);
    } else if (decoded instanceof WireCodec.Decoded.Bad<Message> bad) {
      answer.accept(failed(BusFaults.unknown(bad.reason())));
    }
  }

  private Bytes wireForm(Message answer) {
    Bytes body = codec.encode(answer);
    if (body.length() <= maximumBody()) {
      return body;
    }
    LOG.error("the answer {} of {} does not fit one message", WireCodec.nameOf(answer), body);
    return codec.encode(failed(BusFaults.answerTooLong(WireCodec.nameOf(answer))));
  }

  private void handle(Peer from, Message request, Consumer<Message> answer) {
    MessageHandler handler = handlers.get(request.getClass());
    String kind = WireCodec.nameOf(request);
    if (handler == null) {
      answer.accept(failed(BusFaults.unserved(kind)));
    } else if (!guarded("the handler of " + kind, () -> handler.handle(from, request, answer))) {
      answer.accept(failed(BusFaults.handlerFailed(kind)));
    }
  }

  private void flush() {
    if (outbox.size() == 0) {
      return;
    }
    Optional<Transport.Endpoint> current = endpoint.get();
    if (current.isPresent()) {
      outbox.flush(current.get(), () -> {}, this::sent);
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
