package dev.weft.resources;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.api.policy.NodeView;
import dev.weft.api.policy.PlacementPolicy.Decision;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.api.policy.Refusal;
import dev.weft.core.resources.NodeStatus;
import dev.weft.core.resources.Placement;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The resource manager's mind: the shared pool and the requests that wait for a decision (A2 to
 * A5). Plain state and rules; one thread at a time. Requests wait in one queue and are put before
 * the policy in batches, one call at a time. What the policy proposes counts only if it still fits
 * the live pool; if not, the request is put before the policy again, a few times.
 */
final class ResourceCore {
  /** Most requests in one call of the policy. */
  static final int MAXIMUM_BATCH = 512;

  /** How often a request is put before the policy when its proposals no longer fit. */
  static final int MAXIMUM_TRIES = 3;

  /** Most nodes that are down and still shown. */
  static final int MAXIMUM_DOWN = 1_024;

  private final SortedMap<NodeId, NodeEntry> nodes = new TreeMap<>();
  private final Map<AttemptId, NodeEntry> placed = new HashMap<>();
  private final Deque<Waiting> queue = new ArrayDeque<>();
  private List<Waiting> underWay = List.of();
  private long call;
  private boolean changed = true;

  /** One request on its way to an answer. */
  private static final class Waiting {
    final Question question;
    final int place;
    final Request request;
    int tries;

    Waiting(Question question, int place, Request request) {
      this.question = question;
      this.place = place;
      this.request = request;
    }
  }

  /** A scheduler's question, answered when every request of it is. */
  private static final class Question {
    final long number;
    final Placement[] answers;
    int open;

    Question(long number, int size) {
      this.number = number;
      this.answers = new Placement[size];
      this.open = size;
    }
  }

  /** Takes in an event; returns what is to be done. */
  List<ResourceEffect> handle(ResourceEvent event, Instant now) {
    List<ResourceEffect> effects = new ArrayList<>();
    if (event instanceof ResourceEvent.PeerUp up) {
      entry(up.peer().id()).up(up.peer().hostName(), up.peer().boot());
      changed = true;
    } else if (event instanceof ResourceEvent.PeerDown down) {
      if (nodes.containsKey(down.peer().id())) {
        nodes.get(down.peer().id()).down(down.reason().message(), now);
        forgetOldest();
        changed = true;
      }
    } else if (event instanceof ResourceEvent.Reported reported) {
      changed |= entry(reported.from().id()).report(reported.report(), now);
    } else if (event instanceof ResourceEvent.Asked asked) {
      ask(asked, effects);
    } else if (event instanceof ResourceEvent.Proposed proposed) {
      decide(proposed, effects);
    } else if (event instanceof ResourceEvent.NotProposed notProposed) {
      giveUp(notProposed, effects);
    } else if (event instanceof ResourceEvent.Released released) {
      released.attempts().forEach(this::release);
    }
    callPolicy(effects);
    return effects;
  }

  /** Of the nodes that are down only the latest stay known. */
  private void forgetOldest() {
    List<NodeEntry> down = nodes.values().stream().filter(node -> !node.isConnected()).toList();
    if (down.size() > MAXIMUM_DOWN) {
      down.stream()
          .min(Comparator.comparing(NodeEntry::downSince))
          .ifPresent(oldest -> nodes.remove(oldest.id()));
    }
  }

  private NodeEntry entry(NodeId id) {
    return nodes.computeIfAbsent(id, NodeEntry::new);
  }

  private void ask(ResourceEvent.Asked asked, List<ResourceEffect> effects) {
    Question question = new Question(asked.number(), asked.requests().size());
    if (question.open == 0) {
      effects.add(new ResourceEffect.Answer(asked.number(), List.of()));
    }
    for (int i = 0; i < question.answers.length; i++) {
      queue.add(new Waiting(question, i, asked.requests().get(i)));
    }
  }

  private void callPolicy(List<ResourceEffect> effects) {
    if (!underWay.isEmpty() || queue.isEmpty()) {
      return;
    }
    List<Waiting> batch = new ArrayList<>();
    while (batch.size() < MAXIMUM_BATCH && !queue.isEmpty()) {
      batch.add(queue.poll());
    }
    underWay = batch;
    call++;
    List<Request> requests = batch.stream().map(waiting -> waiting.request).toList();
    effects.add(new ResourceEffect.AskPolicy(call, requests, view(), call));
  }

  private void decide(ResourceEvent.Proposed proposed, List<ResourceEffect> effects) {
    if (proposed.call() != call) {
      return;
    }
    Map<AttemptId, Decision> decisions = new HashMap<>();
    proposed.decisions().forEach(decision -> decisions.put(decision.attempt(), decision));
    List<Waiting> batch = underWay;
    underWay = List.of();
    List<Waiting> again = new ArrayList<>();
    for (Waiting waiting : batch) {
      Decision decision = decisions.get(waiting.request.attempt());
      if (decision instanceof Decision.Proposal proposal) {
        Optional<Refusal> refusal = check(waiting.request, proposal.node());
        if (refusal.isEmpty()) {
          answer(waiting, place(waiting.request, proposal, proposed.policy()), effects);
        } else if (++waiting.tries < MAXIMUM_TRIES) {
          again.add(waiting);
        } else {
          refuse(
              waiting,
              proposed.policy(),
              "the policy's proposals did not fit",
              Map.of(proposal.node(), refusal.get()),
              effects);
        }
      } else if (decision instanceof Decision.NoNode none) {
        String reason = none.reasons().isEmpty() ? "no node takes tasks" : "no node fits now";
        refuse(waiting, proposed.policy(), reason, none.reasons(), effects);
      } else {
        refuse(waiting, proposed.policy(), "the policy did not decide", Map.of(), effects);
      }
    }
    for (int i = again.size() - 1; i >= 0; i--) {
      queue.addFirst(again.get(i));
    }
  }

  private void giveUp(ResourceEvent.NotProposed event, List<ResourceEffect> effects) {
    if (event.call() != call) {
      return;
    }
    List<Waiting> batch = underWay;
    underWay = List.of();
    for (Waiting waiting : batch) {
      refuse(waiting, event.policy(), event.reason(), Map.of(), effects);
    }
  }

  /** Whether a proposal fits the live pool. */
  private Optional<Refusal> check(Request request, NodeId id) {
    NodeEntry node = nodes.get(id);
    if (node == null || !node.isReady()) {
      return Optional.of(new Refusal("node.gone", "the node takes no tasks any more"));
    }
    NodeView live = node.view();
    return Refusal.check(request.demand(), live, live.free());
  }

  private Placement place(Request request, Decision.Proposal proposal, String policy) {
    // Asked for again: whatever an earlier answer took is not needed any more.
    release(request.attempt());
    NodeEntry node = nodes.get(proposal.node());
    node.place(request.attempt(), request.demand().resources());
    placed.put(request.attempt(), node);
    changed = true;
    return new Placement.Placed(
        request.attempt(),
        new Placement.Decision(policy, proposal.reason(), proposal.passedOver()),
        proposal.node(),
        node.boot(),
        node.free(),
        node.version());
  }

  private static void refuse(
      Waiting waiting,
      String policy,
      String reason,
      Map<NodeId, Refusal> refusals,
      List<ResourceEffect> effects) {
    answer(
        waiting,
        new Placement.NotPlaced(
            waiting.request.attempt(), new Placement.Decision(policy, reason, refusals)),
        effects);
  }

  private static void answer(Waiting waiting, Placement placement, List<ResourceEffect> effects) {
    Question question = waiting.question;
    question.answers[waiting.place] = placement;
    if (--question.open == 0) {
      effects.add(new ResourceEffect.Answer(question.number, List.of(question.answers)));
    }
  }

  private void release(AttemptId attempt) {
    NodeEntry node = placed.remove(attempt);
    if (node != null) {
      changed |= node.release(attempt);
    }
  }

  /** Whether {@link #view} or {@link #status} would answer differently than the last time asked. */
  boolean takeChanged() {
    boolean was = changed;
    changed = false;
    return was;
  }

  /** The nodes that get tasks, now. */
  PoolSnapshot view() {
    SortedMap<NodeId, NodeView> ready = new TreeMap<>();
    nodes.forEach(
        (id, node) -> {
          if (node.isReady()) {
            ready.put(id, node.view());
          }
        });
    return new PoolSnapshot(ready);
  }

  /** Every node that was met and is not forgotten, in order of name. */
  List<NodeStatus> status() {
    return nodes.values().stream()
        .map(NodeEntry::status)
        .sorted(Comparator.comparing(NodeStatus::name).thenComparing(NodeStatus::id))
        .toList();
  }
}
