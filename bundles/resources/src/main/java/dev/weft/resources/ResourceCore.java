package dev.weft.resources;

import dev.weft.api.AttemptId;
import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import dev.weft.api.policy.PlacementPolicy.Decision;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.core.message.Message;
import dev.weft.core.message.Message.Correction;
import dev.weft.core.resources.Authority;
import dev.weft.core.resources.NodeStatus;
import dev.weft.core.resources.Placement;
import dev.weft.resources.Question.Unit;
import dev.weft.resources.pool.PoolTree;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The resource manager's mind: the shared pool and the requests for it (A2 to A6, B). Plain state
 * and rules; one thread at a time. A policy that is nothing but an order is followed here; any
 * other is asked, in batches, one call at a time, and what it proposes counts only if it still fits
 * the live pool; if not, the request is put before it again, a few times.
 */
public final class ResourceCore {
  /** Most requests in one call of the policy; a gang is never parted. */
  static final int MAXIMUM_BATCH = 512;

  /** How often a request is put before the policy when its proposals no longer fit. */
  static final int MAXIMUM_TRIES = 3;

  /** Most nodes that are down and still shown. */
  static final int MAXIMUM_DOWN = 1_024;

  private final NodeId self;
  private final SharedPool pool;
  private final Deque<Unit> queue = new ArrayDeque<>();
  private List<Unit> underWay = List.of();
  private long call;
  private Authority authority;
  private Optional<NodeId> leader;
  private Optional<ResourceEvent.Policy> policy = Optional.empty();
  private List<ResourceEffect> effects = new ArrayList<>();

  /**
   * A resource manager that leads at once.
   *
   * @param self the node it runs on
   * @param authority its group and term
   */
  public ResourceCore(ResourceSettings settings, NodeId self, Authority authority) {
    this(settings, self, authority, Optional.of(self));
  }

  /**
   * A resource manager among several.
   *
   * @param leader who leads now, if known
   */
  public ResourceCore(
      ResourceSettings settings, NodeId self, Authority authority, Optional<NodeId> leader) {
    this.self = Objects.requireNonNull(self, "self");
    this.pool = new SharedPool(settings);
    this.authority = Objects.requireNonNull(authority, "authority");
    this.leader = Objects.requireNonNull(leader, "leader");
  }

  /** Takes in an event; returns what is to be done. */
  public List<ResourceEffect> handle(ResourceEvent event, Instant now) {
    if (event instanceof ResourceEvent.Reported reported) {
      report(reported, now);
    } else if (event instanceof ResourceEvent.Asked asked) {
      ask(asked, now);
    } else if (event instanceof ResourceEvent.Over over) {
      pool.over(over.node(), over.boot(), over.attempts());
    } else if (event instanceof ResourceEvent.Withdrawn withdrawn) {
      pool.withdraw(withdrawn.attempts());
    } else if (event instanceof ResourceEvent.Cancelled cancelled) {
      pool.confirmed(cancelled.node(), cancelled.over());
    } else if (event instanceof ResourceEvent.Proposed proposed) {
      decide(proposed, now);
    } else if (event instanceof ResourceEvent.NotProposed notProposed) {
      giveUp(notProposed);
    } else {
      handleRare(event);
    }
    serve(now);
    return done(now);
  }

  private void handleRare(ResourceEvent event) {
    if (event instanceof ResourceEvent.PeerUp up) {
      pool.up(up.peer());
    } else if (event instanceof ResourceEvent.PeerDown down) {
      pool.down(down.peer(), down.reason().message());
    } else if (event instanceof ResourceEvent.Eligible eligible) {
      boolean known = pool.eligible(eligible.node(), eligible.eligible());
      effects.add(new ResourceEffect.Reply<>(eligible.known(), known));
    } else if (event instanceof ResourceEvent.SettingsChanged changed) {
      pool.settings(changed.settings());
    } else if (event instanceof ResourceEvent.StatusAsked asked) {
      effects.add(new ResourceEffect.Reply<>(asked.answer(), status()));
    } else if (event instanceof ResourceEvent.PolicyChanged changed) {
      policy = changed.policy();
      policy.flatMap(ResourceEvent.Policy::order).ifPresent(pool::order);
    } else if (event instanceof ResourceEvent.Led led) {
      led(led);
    } else if (event instanceof ResourceEvent.Suspected suspected) {
      if (leader.equals(Optional.of(suspected.leader())) && !isLeader()) {
        effects.add(new ResourceEffect.Elect(suspected.leader()));
      }
      effects.add(
          new ResourceEffect.Reply<>(suspected.reply(), new Message.Leading(leader, authority)));
    }
  }

  /** Lets time pass: nodes that have not confirmed are asked again. */
  public List<ResourceEffect> tick(Instant now) {
    return done(now);
  }

  private List<ResourceEffect> done(Instant now) {
    pool.takeCancels(now)
        .forEach(
            (node, all) -> {
              for (int from = 0; from < all.size(); from += Message.Cancel.MAXIMUM_ATTEMPTS) {
                int to = Math.min(all.size(), from + Message.Cancel.MAXIMUM_ATTEMPTS);
                effects.add(new ResourceEffect.Cancel(node, List.copyOf(all.subList(from, to))));
              }
            });
    if (effects.isEmpty()) {
      return List.of();
    }
    List<ResourceEffect> taken = effects;
    effects = new ArrayList<>();
    return taken;
  }

  private boolean isLeader() {
    return leader.equals(Optional.of(self));
  }

  private void led(ResourceEvent.Led led) {
    if (led.term() < authority.term()) {
      return;
    }
    boolean newTerm = led.term() > authority.term();
    authority = new Authority(authority.group(), led.term());
    leader = led.leader();
    if (newTerm) {
      pool.newTerm();
    }
  }

  private void report(ResourceEvent.Reported event, Instant now) {
    if (!pool.isUp(event.from())) {
      effects.add(new ResourceEffect.Reply<>(event.reply(), new Message.Failed(NOT_UP)));
      return;
    }
    Message.Reported answer =
        pool.report(event.from(), event.report(), authority, now)
            .map(
                verdict ->
                    new Message.Reported(
                        authority,
                        event.report().over(),
                        verdict.correction(),
                        verdict.version(),
                        verdict.describe()))
            .orElseGet(() -> new Message.Reported(authority, List.of(), Correction.NONE, 0, false));
    effects.add(new ResourceEffect.Reply<>(event.reply(), answer));
  }

  // Requests ------------------------------------------------------------------------------------

  private void ask(ResourceEvent.Asked asked, Instant now) {
    if (!isLeader()) {
      effects.add(new ResourceEffect.NotLeading(asked.number(), leader));
    } else if (asked.requests().isEmpty()) {
      effects.add(new ResourceEffect.Answer(asked.number(), List.of()));
    } else {
      queue.addAll(new Question(asked.number(), asked.requests()).units());
      serve(now);
    }
  }

  /** Serves what waits: by the order, or by asking the policy, or not at all. */
  private void serve(Instant now) {
    if (queue.isEmpty()) {
      return;
    }
    if (policy.isEmpty()) {
      Placement.Decision none =
          new Placement.Decision("", "no placement policy is installed", Map.of());
      while (!queue.isEmpty()) {
        refuse(queue.poll(), none);
      }
    } else if (policy.get().order().isPresent()) {
      ResourceEvent.Policy active = policy.get();
      while (!queue.isEmpty()) {
        Unit unit = queue.poll();
        if (!answeredBefore(unit)) {
          Choice choice = Choice.byOrder(unit.requests(), pool.tree(), active.stamp());
          settle(unit, choice, now);
        }
      }
    } else {
      callPolicy();
    }
  }

  private void callPolicy() {
    if (!underWay.isEmpty()) {
      return;
    }
    List<Unit> batch = new ArrayList<>();
    List<Request> requests = new ArrayList<>();
    while (!queue.isEmpty()
        && (batch.isEmpty() || requests.size() + queue.peek().size() <= MAXIMUM_BATCH)) {
      Unit unit = queue.poll();
      if (!answeredBefore(unit)) {
        batch.add(unit);
        requests.addAll(unit.requests());
      }
    }
    if (!batch.isEmpty()) {
      underWay = batch;
      call++;
      effects.add(new ResourceEffect.AskPolicy(call, requests, pool.tree(), call));
    }
  }

  private void decide(ResourceEvent.Proposed proposed, Instant now) {
    if (proposed.call() != call) {
      return;
    }
    Map<AttemptId, Decision> decisions = new HashMap<>();
    proposed.decisions().forEach(decision -> decisions.put(decision.attempt(), decision));
    List<Unit> again = new ArrayList<>();
    for (Unit unit : takeUnderWay()) {
      Choice choice =
          Choice.byProposals(unit.requests(), decisions, pool.tree(), proposed.policy());
      if (choice.isOutdated() && ++unit.tries < MAXIMUM_TRIES) {
        again.add(unit);
      } else {
        settle(unit, choice, now);
      }
    }
    for (int i = again.size() - 1; i >= 0; i--) {
      queue.addFirst(again.get(i));
    }
  }

  private void giveUp(ResourceEvent.NotProposed event) {
    if (event.call() == call) {
      Placement.Decision why = new Placement.Decision(event.policy(), event.reason(), Map.of());
      takeUnderWay().forEach(unit -> refuse(unit, why));
    }
  }

  private List<Unit> takeUnderWay() {
    List<Unit> batch = underWay;
    underWay = List.of();
    return batch;
  }

  /**
   * Whether a unit was asked for before and holds what it was given: its answer was lost, and is
   * given again. One that is being withdrawn is refused; its attempt is spent.
   */
  private boolean answeredBefore(Unit unit) {
    List<Placement> answers = new ArrayList<>();
    for (Request request : unit.requests()) {
      Optional<NodeEntry.Held> held = pool.placement(request.attempt());
      if (held.isPresent() && held.get().unwanted) {
        refuse(unit, WITHDRAWN);
        return true;
      }
      held.ifPresent(known -> answers.add(known.placed));
    }
    if (answers.isEmpty()) {
      return false;
    }
    if (answers.size() < unit.size()) {
      // A part of a gang is over already: what is left of it is of no use.
      pool.withdraw(answers.stream().map(Placement::attempt).toList());
      refuse(unit, WITHDRAWN);
    } else {
      unit.answer(answers).ifPresent(effects::add);
    }
    return true;
  }

  private void settle(Unit unit, Choice choice, Instant now) {
    if (choice.failed().isPresent()) {
      refuse(unit, choice.failed().get());
      return;
    }
    List<Placement> placements = new ArrayList<>(unit.size());
    for (int i = 0; i < unit.size(); i++) {
      Choice.Chosen chosen = choice.nodes().get(i);
      placements.add(
          pool.place(
              unit.request(i), chosen.node(), chosen.decision(), chosen.taken(), authority, now));
    }
    unit.answer(placements).ifPresent(effects::add);
  }

  private void refuse(Unit unit, Placement.Decision why) {
    List<Placement> placements = new ArrayList<>(unit.size());
    for (Request request : unit.requests()) {
      placements.add(new Placement.NotPlaced(request.attempt(), why));
    }
    unit.answer(placements).ifPresent(effects::add);
  }

  private static final Placement.Decision WITHDRAWN =
      new Placement.Decision("", "the attempt is being withdrawn; ask for another", Map.of());

  private static final Fault NOT_UP =
      new Fault(
          "resources.unknown",
          Fault.Category.RESOURCES,
          "the resource manager does not know this node yet; report again",
          true);

  // What can be asked -----------------------------------------------------------------------------

  /** The nodes that get tasks, now. Immutable. */
  public PoolTree view() {
    return pool.tree();
  }

  /** Every node that was met and is not forgotten, in order of name. */
  public List<NodeStatus> status() {
    return pool.status();
  }

  /** One node. */
  public Optional<NodeStatus> status(NodeId id) {
    return pool.status(id);
  }

  /** Whether the placement of an attempt is kept. */
  public boolean holds(AttemptId attempt) {
    return pool.placement(attempt).isPresent();
  }

  /** How many placements are kept. */
  public int placements() {
    return pool.placements();
  }

  /** How many placements wait for their node to confirm that it refuses them. */
  public int unwanted() {
    return pool.unwanted();
  }

  /** How many requests wait for an answer. */
  public int waiting() {
    return queue.stream().mapToInt(Unit::size).sum() + underWay.stream().mapToInt(Unit::size).sum();
  }
}
