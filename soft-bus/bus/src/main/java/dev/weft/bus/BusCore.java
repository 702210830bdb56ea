package dev.weft.bus;

import dev.weft.api.Bytes;
import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import dev.weft.api.bus.Announcement;
import dev.weft.api.bus.Role;
import dev.weft.core.bus.BusStatus.SightingStatus;
import dev.weft.core.bus.LocalNode;
import dev.weft.core.bus.Peer;
import dev.weft.core.message.Message;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The bus's mind: who is there, and requests and answers between them. Plain state and rules, one
 * thread at a time; the time is an argument.
 *
 * <p>Agents greet managers and managers greet agents, at every address that a discovery or the
 * operator names. A greeting that is answered makes a peer; heartbeats keep it; a goodbye, or
 * silence for a lease, ends it. A request is repeated until its answer comes or its deadline ends,
 * and is handled at most once by a peer in one boot.
 */
final class BusCore {
  /** How long an address that a discovery saw is greeted after it was last seen or reached. */
  static final Duration SIGHTING = Duration.ofSeconds(60);

  private static final String OVER =
      "says boot %d, but that is over: it said goodbye or a later boot was seen";
  private static final int MAXIMUM_CANDIDATES = 4_096;
  private static final int MAXIMUM_PEERS = 100_000;
  private static final int BEATS_PER_LEASE = 5;
  private static final Duration EXPIRY = Duration.ofSeconds(1);

  private final LocalNode self;
  private final Duration lease;
  private final Duration twoBeats;
  private final Bytes greeting;
  private final Map<InetSocketAddress, Candidate> candidates = new HashMap<>();
  private final NavigableMap<NodeId, PeerState> peers = new TreeMap<>();
  private final Departed departed = new Departed();
  private final Requests requests = new Requests();
  private final WireCodec codec;
  private List<BusEffect> effects = new ArrayList<>();
  private Instant lastTick = Instant.MIN;
  private Instant lastExpiry = Instant.EPOCH;

  BusCore(LocalNode self, Duration lease, WireCodec codec) {
    this.self = self;
    this.lease = lease;
    this.twoBeats = lease.multipliedBy(2).dividedBy(BEATS_PER_LEASE);
    this.codec = codec;
    this.greeting = codec.encode(new Greeting(self.hostName(), self.roles(), lease.toMillis()));
  }

  /** Takes in an event; returns what is to be done. */
  List<BusEffect> handle(BusEvent event, Instant now) {
    if (now.minus(lease).isAfter(lastTick)) {
      tick(now); // this process stood still: who is gone must be known first
    }
    if (event instanceof BusEvent.Sighted sighted) {
      sighted(sighted, now);
    } else if (event instanceof BusEvent.Lost lost) {
      lost(lost);
    } else if (event instanceof BusEvent.Configured configured) {
      configured(configured.address(), now);
    } else if (event instanceof BusEvent.Received received) {
      received(received, now);
    } else if (event instanceof BusEvent.Unreadable unreadable) {
      unreadable(unreadable);
    } else if (event instanceof BusEvent.NotSent notSent) {
      notSent(notSent.to(), now);
    } else if (event instanceof BusEvent.Submitted submitted) {
      submitted(submitted, now);
    } else if (event instanceof BusEvent.Answered answered) {
      answered(answered, now);
    }
    return takeEffects();
  }

  /** Lets time pass: heartbeats, leases, greetings, repeated requests. */
  List<BusEffect> handleTick(Instant now) {
    tick(now);
    return takeEffects();
  }

  /** Says goodbye to every peer. */
  List<BusEffect> leave() {
    peers.values().forEach(state -> send(state.peer.address(), Envelope.of(Envelope.Kind.GOODBYE)));
    return takeEffects();
  }

  private List<BusEffect> takeEffects() {
    List<BusEffect> taken = effects;
    effects = new ArrayList<>();
    return taken;
  }

  private void send(InetSocketAddress to, Envelope envelope) {
    effects.add(new BusEffect.Send(to, envelope));
  }

  // Who is there ------------------------------------------------------------------------------

  private void configured(InetSocketAddress address, Instant now) {
    candidate(address, "address", now)
        .ifPresent(
            candidate -> {
              candidate.configured = true;
              dialIfUseful(candidate, now);
            });
  }

  private void sighted(BusEvent.Sighted event, Instant now) {
    candidate(event.sighting().address(), event.via(), now)
        .ifPresent(candidate -> announced(candidate, event.sighting().announcement(), now));
  }

  private void announced(Candidate candidate, Announcement announcement, Instant now) {
    candidate.announced(announcement.shortId(), now);
    if (announcement.isOf(self.id())) {
      candidate.ruleOut("this node");
    } else if (announcement.protocol() != Frame.PROTOCOL) {
      candidate.ruleOut(
          "speaks protocol " + announcement.protocol() + ", this node " + Frame.PROTOCOL);
    } else if (!matters(announcement.roles())) {
      candidate.ruleOut("has the same role as this node");
    } else {
      dialIfUseful(candidate, now);
    }
  }

  /** The candidate at an address, made if need be; empty if there are too many. */
  private Optional<Candidate> candidate(InetSocketAddress address, String via, Instant now) {
    if (candidates.size() < MAXIMUM_CANDIDATES) {
      candidates.computeIfAbsent(address, key -> new Candidate(key, via, now));
    }
    return Optional.ofNullable(candidates.get(address));
  }

  private void lost(BusEvent.Lost event) {
    Candidate candidate = candidates.get(event.sighting().address());
    if (candidate != null && !candidate.configured) {
      candidates.remove(candidate.address); // a hint only: the peer stays until its lease ends
    }
  }

  private boolean matters(Collection<Role> roles) {
    return (self.roles().contains(Role.MANAGER) && roles.contains(Role.AGENT))
        || (self.roles().contains(Role.AGENT) && roles.contains(Role.MANAGER));
  }

  private void dialIfUseful(Candidate candidate, Instant now) {
    if (!isReachedThere(candidate, now) && candidate.isDue(now) && !candidate.isRuledOut()) {
      dial(candidate, now);
    }
  }

  private void dial(Candidate candidate, Instant now) {
    candidate.dialled(now);
    candidate.state = "greeted, no answer yet";
    send(candidate.address, new Envelope(Envelope.Kind.HELLO, 0, greeting));
  }

  /** Whether the node at this address is a peer that was heard lately. */
  private boolean isReachedThere(Candidate candidate, Instant now) {
    Optional<PeerState> state = candidate.node.map(peers::get);
    return state.isPresent() && !isShaky(state.get(), now);
  }

  /** Not heard for two heartbeats at the address in use: another may be better. */
  private boolean isShaky(PeerState state, Instant now) {
    return now.isAfter(state.heardOnAddress.plus(twoBeats));
  }

  private void greeted(InetSocketAddress from, Frame frame, Envelope envelope, Instant now) {
    Candidate candidate = candidates.get(from);
    WireCodec.Decoded<Greeting> decoded = codec.decodeGreeting(envelope.body());
    if (!(decoded instanceof WireCodec.Decoded.Good<Greeting> good)
        || !matters(good.value().roles())) {
      return;
    }
    if (candidate != null) {
      candidate.answered(frame.sender());
      candidate.state = isOver(frame) ? OVER.formatted(frame.boot()) : "peer " + frame.sender();
    }
    meet(from, frame, good.value(), candidate == null ? "incoming" : candidate.via, now);
    PeerState state = peers.get(frame.sender());
    if (envelope.kind() == Envelope.Kind.HELLO
        && state != null
        && state.peer.boot() == frame.boot()) {
      send(from, new Envelope(Envelope.Kind.WELCOME, 0, greeting));
    }
  }

  /** Whether a later life of the sender is known, or it has said goodbye in this one. */
  private boolean isOver(Frame frame) {
    PeerState known = peers.get(frame.sender());
    return known != null
        ? known.peer.boot() > frame.boot()
        : departed.find(frame.sender()).filter(entry -> entry.isOver(frame.boot())).isPresent();
  }

  private void meet(
      InetSocketAddress from, Frame frame, Greeting greeted, String via, Instant now) {
    PeerState known = peers.get(frame.sender());
    if (isOver(frame)) {
      return;
    }
    boolean same = known != null && known.peer.boot() == frame.boot();
    if (same && (from.equals(known.peer.address()) || !isShaky(known, now))) {
      known.heard(from, now);
      return;
    }
    if (known == null && peers.size() >= MAXIMUM_PEERS) {
      return;
    }
    Peer peer =
        new Peer(frame.sender(), frame.boot(), greeted.hostName(), greeted.roles(), from, via);
    if (same) {
      known.peer = peer;
      known.heard(from, now);
    } else {
      if (known != null) {
        failAll(peer.id(), BusFaults.restarted(peer.id()));
      }
      Duration theirs = Duration.ofMillis(greeted.leaseMillis());
      Duration shorter = theirs.compareTo(lease) < 0 ? theirs : lease;
      HandledRequests handled = departed.comeBack(peer.id(), peer.boot());
      peers.put(peer.id(), new PeerState(peer, shorter.dividedBy(BEATS_PER_LEASE), handled, now));
    }
    effects.add(new BusEffect.Up(peer));
  }

  private void down(NodeId id, Fault reason, boolean left, Instant now) {
    PeerState state = peers.remove(id);
    departed.add(id, new Departed.Entry(state.peer.boot(), state.handled, left, now));
    failAll(id, BusFaults.down(id));
    effects.add(new BusEffect.Down(state.peer, reason));
  }

  private void failAll(NodeId peer, Fault fault) {
    for (long id : requests.removeAll(peer)) {
      effects.add(new BusEffect.Fail(id, fault));
    }
    PeerState state = peers.get(peer);
    if (state != null) {
      state.outstanding = 0;
    }
  }

  // What they say -----------------------------------------------------------------------------

  private void received(BusEvent.Received event, Instant now) {
    Frame frame = event.frame();
    if (frame.sender().equals(self.id())) {
      Optional.ofNullable(candidates.get(event.from()))
          .ifPresent(candidate -> candidate.ruleOut("this node, or one with a copy of its key"));
      return;
    }
    PeerState state = peers.get(frame.sender());
    boolean current = state != null && state.peer.boot() == frame.boot();
    if (current) {
      state.heard(event.from(), now);
    }
    for (Envelope envelope : frame.envelopes()) {
      switch (envelope.kind()) {
        case HELLO, WELCOME -> greeted(event.from(), frame, envelope, now);
        case GOODBYE -> goodbye(frame, now);
        case REQUEST -> request(event.from(), frame, envelope, now);
        case ANSWER -> answer(frame.sender(), envelope);
        case STRANGER -> stranger(event.from(), now);
        case HEARTBEAT -> {
          if (!current) {
            send(event.from(), Envelope.of(Envelope.Kind.STRANGER));
          }
        }
      }
    }
  }

  private void unreadable(BusEvent.Unreadable event) {
    Candidate candidate = candidates.get(event.from());
    if (candidate != null && candidate.node.map(peers::get).isEmpty()) {
      candidate.state = "cannot be understood: " + event.reason();
    }
  }

  private void goodbye(Frame frame, Instant now) {
    PeerState state = peers.get(frame.sender());
    if (state == null || state.peer.boot() != frame.boot()) {
      return; // unknown, or said by an earlier life
    }
    down(frame.sender(), BusFaults.left(), true, now);
    candidates.values().stream()
        .filter(candidate -> candidate.node.equals(Optional.of(frame.sender())))
        .forEach(candidate -> candidate.dialled(now));
  }

  private void request(InetSocketAddress from, Frame frame, Envelope envelope, Instant now) {
    PeerState state = peers.get(frame.sender());
    if (state == null || state.peer.boot() != frame.boot()) {
      send(from, new Envelope(Envelope.Kind.STRANGER, envelope.id(), Bytes.EMPTY));
      return;
    }
    long id = envelope.id();
    switch (state.handled.see(id, now)) {
      case NEW ->
          effects.add(
              new BusEffect.Deliver(
                  state.peer,
                  new BusEffect.Delivery(frame.sender(), frame.boot(), id),
                  envelope.body()));
      case ANSWERED -> state.handled.answerTo(id).ifPresent(body -> answer(state, id, body, now));
      case UNDER_WAY -> {}
      case STALE -> refuse(state, id, BusFaults.stale(), now);
      case TOO_MANY -> refuse(state, id, BusFaults.full(), now);
    }
  }

  private void refuse(PeerState state, long id, Fault fault, Instant now) {
    answer(state, id, codec.encode(new Message.Failed(fault)), now);
  }

  private void answer(PeerState state, long id, Bytes body, Instant now) {
    state.said = now;
    send(state.peer.address(), new Envelope(Envelope.Kind.ANSWER, id, body));
  }

  private void answered(BusEvent.Answered event, Instant now) {
    BusEffect.Delivery delivery = event.delivery();
    PeerState state = peers.get(delivery.peer());
    if (state == null) {
      departed.answered(delivery, event.body(), now);
    } else if (state.peer.boot() == delivery.boot()
        && state.handled.answered(delivery.id(), event.body(), now)) {
      answer(state, delivery.id(), event.body(), now);
    }
  }

  private void answer(NodeId from, Envelope envelope) {
    if (requests.answered(envelope.id(), from)) {
      PeerState state = peers.get(from);
      if (state != null) {
        state.outstanding--;
      }
      effects.add(new BusEffect.Complete(envelope.id(), envelope.body()));
    }
  }

  /** Somebody does not know this node: greet again, the request is repeated afterwards. */
  private void stranger(InetSocketAddress from, Instant now) {
    Candidate candidate = candidates.get(from);
    if (candidate == null) {
      if (peers.values().stream().noneMatch(state -> state.peer.address().equals(from))) {
        return;
      }
      Optional<Candidate> made = candidate(from, "incoming", now);
      if (made.isEmpty()) {
        return;
      }
      candidate = made.get();
    }
    if (candidate.isDue(now)) {
      dial(candidate, now);
    } else {
      candidate.hurry(now);
    }
  }

  private void notSent(InetSocketAddress to, Instant now) {
    for (PeerState state : peers.values()) {
      if (state.peer.address().equals(to)) {
        NodeId id = state.peer.id();
        candidates.values().stream()
            .filter(candidate -> candidate.node.equals(Optional.of(id)))
            .forEach(candidate -> candidate.hurry(now));
        requests.hurry(id, now);
      }
    }
  }

  private void submitted(BusEvent.Submitted event, Instant now) {
    PeerState state = peers.get(event.to());
    if (state == null) {
      effects.add(new BusEffect.Fail(event.id(), BusFaults.down(event.to())));
    } else if (state.outstanding >= Requests.MAXIMUM_PER_PEER
        || requests.size() >= Requests.MAXIMUM) {
      effects.add(new BusEffect.Fail(event.id(), BusFaults.full()));
    } else {
      state.outstanding++;
      state.said = now;
      requests.add(event.id(), event.to(), event.body(), event.deadline(), now);
      send(state.peer.address(), new Envelope(Envelope.Kind.REQUEST, event.id(), event.body()));
    }
  }

  // Time --------------------------------------------------------------------------------------

  private void tick(Instant now) {
    lastTick = now;
    List<NodeId> silent = new ArrayList<>();
    for (PeerState state : peers.values()) {
      if (now.isAfter(state.heard.plus(lease))) {
        silent.add(state.peer.id());
      } else if (!now.isBefore(state.said.plus(state.beat))) {
        state.said = now;
        send(state.peer.address(), Envelope.of(Envelope.Kind.HEARTBEAT));
      }
    }
    silent.forEach(id -> down(id, BusFaults.notHeard(lease.toMillis()), false, now));
    if (!now.isBefore(lastExpiry.plus(EXPIRY))) {
      lastExpiry = now;
      departed.expire(now);
      peers.values().forEach(state -> state.handled.expire(now));
    }
    requests.tick(now, this::repeat, this::giveUp);
    greetCandidates(now);
  }

  private void repeat(Requests.Request request) {
    PeerState state = peers.get(request.to);
    send(state.peer.address(), new Envelope(Envelope.Kind.REQUEST, request.id, request.body));
  }

  private void giveUp(Requests.Request request) {
    peers.get(request.to).outstanding--;
    effects.add(new BusEffect.Fail(request.id, BusFaults.silent(request.to)));
  }

  private void greetCandidates(Instant now) {
    for (Iterator<Candidate> all = candidates.values().iterator(); all.hasNext(); ) {
      Candidate candidate = all.next();
      if (isReachedThere(candidate, now)) {
        candidate.useful = now;
      } else if (now.isAfter(candidate.useful.plus(SIGHTING)) && !candidate.configured) {
        all.remove();
      } else {
        dialIfUseful(candidate, now);
      }
    }
  }

  // What can be asked -------------------------------------------------------------------------

  List<Peer> peers() {
    return peers.values().stream().map(state -> state.peer).toList();
  }

  List<SightingStatus> sightings() {
    return candidates.values().stream()
        .map(
            candidate ->
                new SightingStatus(
                    candidate.shortId,
                    candidate.via,
                    candidate.where,
                    candidate.state,
                    candidate.seen))
        .toList();
  }
}
