package dev.weft.resources;

import dev.weft.api.AttemptId;
import dev.weft.api.Demand;
import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import dev.weft.api.bus.Role;
import dev.weft.api.policy.NodeOrder;
import dev.weft.api.policy.PlacementPolicy;
import dev.weft.api.policy.PlacementPolicy.Decision;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.api.policy.PoolView;
import dev.weft.api.policy.Refusal;
import dev.weft.core.bus.Bus;
import dev.weft.core.bus.LocalNode;
import dev.weft.core.bus.MessageHandler;
import dev.weft.core.bus.Peer;
import dev.weft.core.bus.PeerListener;
import dev.weft.core.loop.Loop;
import dev.weft.core.loop.Mailbox;
import dev.weft.core.loop.PluginGuard;
import dev.weft.core.message.Message;
import dev.weft.core.resources.Authority;
import dev.weft.core.resources.NodeStatus;
import dev.weft.core.resources.Placement;
import dev.weft.core.resources.ResourceManager;
import dev.weft.resources.pool.PoolTree;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Gives {@link ResourceCore} its thread and carries out what it wants done. */
final class ResourceLoop
    implements ResourceManager, MessageHandler, PeerListener, Loop.Handler<ResourceEvent> {
  private static final int CAPACITY = 16_384;
  private static final Duration TICK = Duration.ofMillis(500);
  private static final Duration CANCEL_DEADLINE = Duration.ofSeconds(10);

  /** How long somebody who asks for the nodes waits for the loop; then he gets the last ones. */
  private static final long STATUS_MILLIS = 2_000;

  private final ResourceCore core;
  private final NodeId self;
  private final Bus bus;
  private volatile PluginGuard guard;
  private final Loop<ResourceEvent> loop;
  private final Mailbox<ResourceEvent> mailbox;
  private final AtomicLong questions = new AtomicLong();
  private final Map<Long, Consumer<Result>> open = new ConcurrentHashMap<>();
  private volatile Optional<PolicyHolder.Active> policy = Optional.empty();
  private volatile PoolTree view = PoolTree.empty(NodeOrder.NONE);
  private volatile List<NodeStatus> nodes = List.of();

  /** What became of a question. */
  private sealed interface Result {
    record Answered(List<Placement> placements) implements Result {}

    record NotLeading(Optional<NodeId> leader) implements Result {}
  }

  ResourceLoop(
      LocalNode local,
      String group,
      Bus bus,
      ResourceSettings settings,
      Duration policyDeadline,
      Clock clock) {
    this.self = local.id();
    this.bus = bus;
    // One manager has a term of its own at each start; several get theirs by election.
    this.core = new ResourceCore(settings, self, new Authority(group, local.boot()));
    this.guard = new PluginGuard(policyDeadline);
    this.loop = new Loop<>("weft-resources", CAPACITY, TICK, clock, this);
    this.mailbox = new Mailbox<>(loop::offer);
  }

  void start() {
    loop.start();
  }

  void settings(ResourceSettings settings, Duration policyDeadline) {
    guard = new PluginGuard(policyDeadline);
    mailbox.post(new ResourceEvent.SettingsChanged(settings));
  }

  void stop() {
    loop.close();
  }

  /** Another policy is in use, or its settings have changed: its order is asked for. */
  void policyChanged(Optional<PolicyHolder.Active> changed) {
    policy = changed;
    if (changed.isEmpty()) {
      mailbox.post(new ResourceEvent.PolicyChanged(Optional.empty()));
      return;
    }
    PolicyHolder.Active active = changed.get();
    guard
        .call(active.stamp(), () -> active.policy().order())
        .thenAccept(
            result -> {
              if (policy.equals(changed)) { // else another one has come meanwhile
                Optional<NodeOrder> order =
                    result instanceof PluginGuard.Result.Value<Optional<NodeOrder>> value
                        ? value.value()
                        : Optional.empty();
                mailbox.post(
                    new ResourceEvent.PolicyChanged(
                        Optional.of(new ResourceEvent.Policy(active.stamp(), order))));
              }
            });
  }

  @Override
  public CompletionStage<List<Placement>> place(List<Request> requests) {
    CompletableFuture<List<Placement>> answer = new CompletableFuture<>();
    ask(
        requests,
        result -> {
          if (result instanceof Result.Answered answered) {
            answer.complete(answered.placements());
          } else {
            answer.complete(notPlaced(requests, "this resource manager does not lead"));
          }
        },
        () -> answer.complete(notPlaced(requests, "the resource manager has too much to do")));
    return answer;
  }

  private void ask(List<Request> requests, Consumer<Result> answer, Runnable full) {
    long number = questions.incrementAndGet();
    open.put(number, answer);
    if (!mailbox.offer(new ResourceEvent.Asked(number, requests))) {
      open.remove(number);
      full.run();
    }
  }

  private static List<Placement> notPlaced(List<Request> requests, String reason) {
    Placement.Decision why = new Placement.Decision("", reason, Map.of());
    return requests.stream()
        .<Placement>map(request -> new Placement.NotPlaced(request.attempt(), why))
        .toList();
  }

  @Override
  public void over(NodeId node, long boot, Collection<AttemptId> attempts) {
    mailbox.post(new ResourceEvent.Over(node, boot, List.copyOf(attempts)));
  }

  @Override
  public void withdraw(Collection<AttemptId> attempts) {
    mailbox.post(new ResourceEvent.Withdrawn(List.copyOf(attempts)));
  }

  @Override
  public boolean eligible(NodeId node, boolean eligible) {
    CompletableFuture<Boolean> known = new CompletableFuture<>();
    mailbox.post(new ResourceEvent.Eligible(node, eligible, known::complete));
    return wait(known, false);
  }

  @Override
  public Map<NodeId, Optional<Refusal>> explain(Demand demand) {
    return view.explain(demand);
  }

  @Override
  public PoolView view() {
    return view;
  }

  @Override
  public List<NodeStatus> nodes() {
    CompletableFuture<List<NodeStatus>> answer = new CompletableFuture<>();
    // Made only when somebody wants it: at ten thousand nodes it takes longer than many reports.
    mailbox.post(new ResourceEvent.StatusAsked(answer::complete));
    nodes = wait(answer, nodes);
    return nodes;
  }

  private static <T> T wait(CompletableFuture<T> answer, T otherwise) {
    return answer.completeOnTimeout(otherwise, STATUS_MILLIS, TimeUnit.MILLISECONDS).join();
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
    return policy.map(PolicyHolder.Active::stamp).orElse("");
  }

  @Override
  public Set<Class<? extends Message>> kinds() {
    return Set.of(
        Message.Report.class,
        Message.Place.class,
        Message.Over.class,
        Message.Withdraw.class,
        Message.Suspect.class);
  }

  @Override
  public void handle(Peer from, Message request, Consumer<Message> answer) {
    if (request instanceof Message.Place place) {
      ask(place.requests(), result -> answer.accept(message(result)), () -> answer.accept(FULL));
      return;
    }
    boolean taken = false;
    boolean answered = false;
    if (request instanceof Message.Report report) {
      taken = mailbox.offer(new ResourceEvent.Reported(from.id(), report, answer));
      answered = taken;
    } else if (request instanceof Message.Suspect suspect) {
      taken = mailbox.offer(new ResourceEvent.Suspected(suspect.leader(), answer));
      answered = taken;
    } else if (request instanceof Message.Over over) {
      taken = mailbox.offer(new ResourceEvent.Over(over.node(), over.boot(), over.attempts()));
    } else if (request instanceof Message.Withdraw withdraw) {
      taken = mailbox.offer(new ResourceEvent.Withdrawn(withdraw.attempts()));
    }
    if (!answered) {
      answer.accept(taken ? new Message.Done() : FULL);
    }
  }

  private static Message message(Result result) {
    if (result instanceof Result.Answered answered) {
      return new Message.Placements(answered.placements());
    }
    String leader =
        ((Result.NotLeading) result).leader().map(id -> id + " leads").orElse("no leader is known");
    return new Message.Failed(
        new Fault(
            "resources.follower",
            Fault.Category.RESOURCES,
            "this resource manager does not lead; " + leader,
            true));
  }

  private static final Message FULL =
      new Message.Failed(
          new Fault(
              "resources.full",
              Fault.Category.RESOURCES,
              "the resource manager has too much to do; try again later",
              true));

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
    run(core.handle(event, now));
  }

  private void run(List<ResourceEffect> effects) {
    view = core.view(); // first: who gets an answer may look
    for (ResourceEffect effect : effects) {
      if (effect instanceof ResourceEffect.Answer answer) {
        open.remove(answer.number()).accept(new Result.Answered(answer.placements()));
      } else if (effect instanceof ResourceEffect.Reply<?> reply) {
        reply.send();
      } else if (effect instanceof ResourceEffect.AskPolicy ask) {
        askPolicy(ask);
      } else if (effect instanceof ResourceEffect.Cancel cancel) {
        cancel(cancel);
      } else if (effect instanceof ResourceEffect.NotLeading not) {
        open.remove(not.number()).accept(new Result.NotLeading(not.leader()));
      }
    }
  }

  private void cancel(ResourceEffect.Cancel cancel) {
    bus.request(cancel.node(), new Message.Cancel(cancel.attempts()), CANCEL_DEADLINE)
        .thenAccept(
            answer -> {
              if (answer instanceof Message.Cancelled cancelled) {
                mailbox.post(new ResourceEvent.Cancelled(cancel.node(), cancelled.over()));
              }
            });
  }

  private void askPolicy(ResourceEffect.AskPolicy ask) {
    Optional<PolicyHolder.Active> active = policy;
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
              PlacementPolicy asked = active.get().policy();
              return List.copyOf(asked.place(ask.requests(), ask.pool(), ask.seed()));
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
    run(core.tick(now));
  }

  @Override
  public void idle(Instant now) {
    mailbox.drain();
  }
}
