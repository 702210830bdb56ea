package dev.weft.scheduler.simulation;

import dev.weft.api.AttemptId;
import dev.weft.api.Environment;
import dev.weft.api.NodeId;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.core.resources.Authority;
import dev.weft.core.resources.Placement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The resource manager: first node that has room, by id. Counts cores only. A placement holds its
 * amount until its node is known to have ended or refused it, or is taken for dead (B7).
 */
public final class SimulatedPool {
  private static final Authority AUTHORITY = new Authority("simulated", 1);

  private final Consumer<AttemptId> givenBack;
  private final Map<NodeId, Node> nodes = new TreeMap<>();
  private final Map<AttemptId, Node> given = new LinkedHashMap<>();
  private final Set<AttemptId> unwanted = new LinkedHashSet<>();
  private long requests;

  private static final class Node {
    final NodeId id;
    final long offered;
    final Map<AttemptId, Placement.Placed> taken = new LinkedHashMap<>();
    long boot;
    boolean ready;
    long version;

    Node(NodeId id, long offered) {
      this.id = id;
      this.offered = offered;
    }

    long free() {
      return offered - taken.values().stream().mapToLong(placed -> coresOf(placed.taken())).sum();
    }
  }

  /** A pool without nodes. */
  public SimulatedPool(Consumer<AttemptId> givenBack) {
    this.givenBack = givenBack;
  }

  /** A node can be talked to; what was placed for an earlier boot of it is no more. */
  public void up(NodeId id, long boot, long offeredMilli) {
    Node node = nodes.computeIfAbsent(id, key -> new Node(id, offeredMilli));
    if (node.boot != boot) {
      giveBack(List.copyOf(node.taken.keySet()));
    }
    node.boot = boot;
    node.ready = true;
  }

  /** A node is taken for dead. */
  public void down(NodeId id) {
    Node node = nodes.get(id);
    node.ready = false;
    giveBack(List.copyOf(node.taken.keySet()));
  }

  /** Answers a resource request; one that is asked again is answered as before. */
  public List<Placement> place(List<Request> asked) {
    List<Placement> answers = new ArrayList<>();
    asked.forEach(request -> answers.add(place(request)));
    return answers;
  }

  private Placement place(Request request) {
    requests++;
    if (unwanted.contains(request.attempt())) {
      throw new AssertionError(request.attempt() + " is asked for after it was withdrawn");
    }
    Node before = given.get(request.attempt());
    if (before != null) {
      return before.taken.get(request.attempt());
    }
    Resources wanted = request.demand().resources();
    for (Node node : nodes.values()) {
      if (node.ready && node.free() >= coresOf(wanted)) {
        Placement.Placed placed =
            new Placement.Placed(
                request.attempt(),
                new Placement.Decision("first 1", "first that has room", Map.of()),
                node.id,
                node.boot,
                AUTHORITY,
                wanted,
                Resources.NONE,
                ++node.version);
        node.taken.put(request.attempt(), placed);
        given.put(request.attempt(), node);
        return placed;
      }
    }
    return new Placement.NotPlaced(
        request.attempt(), new Placement.Decision("first 1", "no node fits now", Map.of()));
  }

  /** Thousandths of a core that a demand takes. */
  static long coresOf(Resources resources) {
    return resources.in(Environment.REE).get(ResourceType.CPU);
  }

  /** A node has said in a boot of it that attempts are over. */
  public void over(NodeId id, long boot, Collection<AttemptId> attempts) {
    Node node = nodes.get(id);
    if (node.boot == boot) {
      giveBack(attempts.stream().filter(attempt -> given.get(attempt) == node).toList());
    }
  }

  /** Placements are not wanted any more: their nodes are to be asked. */
  public void withdraw(Collection<AttemptId> attempts) {
    attempts.stream().filter(given::containsKey).forEach(unwanted::add);
  }

  /** What to ask which node about. */
  public Map<NodeId, List<AttemptId>> unwanted() {
    Map<NodeId, List<AttemptId>> byNode = new TreeMap<>();
    for (AttemptId attempt : unwanted) {
      byNode.computeIfAbsent(given.get(attempt).id, node -> new ArrayList<>()).add(attempt);
    }
    return byNode;
  }

  private void giveBack(Collection<AttemptId> attempts) {
    for (AttemptId attempt : attempts) {
      given.remove(attempt).taken.remove(attempt);
      unwanted.remove(attempt);
      givenBack.accept(attempt);
    }
  }

  /** Attempts that hold something. */
  public Set<AttemptId> given() {
    return new LinkedHashSet<>(given.keySet());
  }

  /** Whether nothing is given. */
  public boolean isIdle() {
    return given.isEmpty();
  }

  /** How many tasks were asked for since the start. */
  public long requests() {
    return requests;
  }
}
