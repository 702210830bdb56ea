package dev.weft.resources;

import dev.weft.api.AttemptId;
import dev.weft.api.Demand;
import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import dev.weft.api.bus.Role;
import dev.weft.api.policy.PlacementPolicy;
import dev.weft.api.policy.PlacementPolicy.Decision;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.api.policy.PoolView;
import dev.weft.api.policy.Refusal;
import dev.weft.core.bus.MessageHandler;
import dev.weft.core.bus.Peer;
import dev.weft.core.bus.PeerListener;
import dev.weft.core.loop.Loop;
import dev.weft.core.loop.Mailbox;
import dev.weft.core.loop.PluginGuard;
import dev.weft.core.message.Message;
import dev.weft.core.resources.NodeStatus;
import dev.weft.core.resources.Placement;
import dev.weft.core.resources.ResourceManager;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Gives {@link ResourceCore} its thread and carries out what it wants done. */
final class ResourceLoop
    implements ResourceManager, MessageHandler, PeerListener, Loop.Handler<ResourceEvent> {
  private static final int CAPACITY = 16_384;
  private static final Duration TICK = Duration.ofMillis(500);

  private final ResourceCore core = new ResourceCore();
  private volatile PluginGuard guard;
  private final Supplier<Optional<PolicyHolder.Active>> policies;
  private final Loop<ResourceEvent> loop;
  private final Mailbox<ResourceEvent> mailbox;
  private final AtomicLong questions = new AtomicLong();
  private final Map<Long, CompletableFuture<List<Placement>>> open = new ConcurrentHashMap<>();
  private volatile PoolSnapshot view = PoolSnapshot.EMPTY;
  private volatile List<NodeStatus> nodes = List.of();

  ResourceLoop(
      Supplier<Optional<PolicyHolder.Active>> policies, Duration policyDeadline, Clock clock) {
    this.policies = policies;
    this.guard = new PluginGuard(policyDeadline);
    this.loop = new Loop<>("weft-resources", CAPACITY, TICK, clock, this);
    this.mailbox = new Mailbox<>(loop::offer);
  }

  void start() {
    loop.start();
  }

  void policyDeadline(Duration deadline) {
    guard = new PluginGuard(deadline);
  }

  void stop() {
    loop.close();
  }

  @Override
  public CompletionStage<List<Placement>> place(List<Request> requests) {
    long number = questions.incrementAndGet();
    CompletableFuture<List<Placement>> answer = new CompletableFuture<>();
    open.put(number, answer);
    if (!mailbox.offer(new ResourceEvent.Asked(number, requests))) {
      open.remove(number);
      Placement.Decision full =
          new Placement.Decision("", "the resource manager has too much to do", Map.of());
      answer.complete(
          requests.stream()
              .<Placement>map(request -> new Placement.NotPlaced(request.attempt(), full))
              .toList());
    }
    return answer;
  }

  @Override
  public void release(Collection<AttemptId> attempts) {
    mailbox.post(new ResourceEvent.Released(List.copyOf(attempts)));
  }

  @Override
  public PoolView view() {
    return view;
  }

  @Override
  public List<NodeStatus> nodes() {
    return nodes;
  }

  @Override
  public Map<NodeId, Refusal> neverFits(Demand demand) {
    Map<NodeId, Refusal> refusals = new LinkedHashMap<>();
    for (var node : view.nodes()) {
      Optional<Refusal> refusal = Refusal.checkOffer(demand, node);
      if (refusal.isEmpty()) {
        return Map.of();
      }
      refusals.put(node.id(), refusal.get());
    }
    return refusals;
  }

  @Override
  public String policy() {
    return policies.get().map(PolicyHolder.Active::stamp).orElse("");
  }

  @Override
  public Set<Class<? extends Message>> kinds() {
    return Set.of(Message.Report.class);
  }

  @Override
  public void handle(Peer from, Message request, Consumer<Message> answer) {
    boolean taken =
        request instanceof Message.Report report
            && mailbox.offer(new ResourceEvent.Reported(from, report));
    answer.accept(
        taken
            ? new Message.Done()
            : new Message.Failed(
                new Fault(
                    "resources.full",
                    Fault.Category.RESOURCES,
                    "the resource manager has too much to do; report again later",
                    true)));
  }

  @Override
  public void peerUp(Peer peer) {
    if (peer.roles().contains(Role.AGENT)) {
      mailbox.post(new ResourceEvent.PeerUp(peer));
    }
  }

  @Override
  public void peerDown(Peer peer, Fault reason) {
    mailbox.post(new ResourceEvent.PeerDown(peer, reason));
  }

  @Override
  public void handle(ResourceEvent event, Instant now) {
    for (ResourceEffect effect : core.handle(event, now)) {
      if (effect instanceof ResourceEffect.AskPolicy ask) {
        askPolicy(ask);
      } else if (effect instanceof ResourceEffect.Answer answer) {
        publish();
        open.remove(answer.number()).complete(answer.placements());
      }
    }
  }

  private void askPolicy(ResourceEffect.AskPolicy ask) {
    Optional<PolicyHolder.Active> active = policies.get();
    if (active.isEmpty()) {
      mailbox.post(
          new ResourceEvent.NotProposed(ask.call(), "", "no placement policy is installed"));
      return;
    }
    String stamp = active.get().stamp();
    guard
        .call(
            stamp,
            // Copied here, because the list is foreign code as well.
            () -> {
              PlacementPolicy policy = active.get().policy();
              return List.copyOf(policy.place(ask.requests(), ask.pool(), ask.seed()));
            })
        .thenAccept(result -> mailbox.post(event(ask.call(), stamp, result)));
  }

  private static ResourceEvent event(
      long call, String stamp, PluginGuard.Result<List<Decision>> result) {
    if (result instanceof PluginGuard.Result.Value<List<Decision>> value) {
      return new ResourceEvent.Proposed(call, stamp, value.value());
    }
    String reason = ((PluginGuard.Result.Failure<List<Decision>>) result).reason();
    return new ResourceEvent.NotProposed(call, stamp, reason);
  }

  @Override
  public void tick(Instant now) {
    mailbox.drain();
    publish();
  }

  @Override
  public void idle(Instant now) {
    mailbox.drain();
    publish();
  }

  private void publish() {
    if (core.takeChanged()) {
      view = core.view();
      nodes = core.status();
    }
  }
}
