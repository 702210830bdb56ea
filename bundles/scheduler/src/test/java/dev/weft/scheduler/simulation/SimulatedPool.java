package dev.weft.scheduler.simulation;

import dev.weft.api.AttemptId;
import dev.weft.api.Environment;
import dev.weft.api.NodeId;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.core.resources.Placement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The resource manager: first node that has room, by id. Counts cores only. */
public final class SimulatedPool {
  private final Map<NodeId, Node> nodes = new TreeMap<>();
  private final Map<AttemptId, Node> given = new HashMap<>();
  private long requests;

  private static final class Node {
    final NodeId id;
    final long offered;
    final Map<AttemptId, Long> taken = new HashMap<>();
    long boot;
    boolean ready;
    long version;

    Node(NodeId id, long offered) {
      this.id = id;
      this.offered = offered;
    }

    long free() {
      return offered - taken.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /** A node can be talked to. */
  public void up(NodeId id, long boot, long offeredMilli) {
    Node node = nodes.computeIfAbsent(id, key -> new Node(id, offeredMilli));
    node.boot = boot;
    node.ready = true;
  }

  /** A node is gone. */
  public void down(NodeId id) {
    nodes.get(id).ready = false;
  }

  /** Answers a resource request. */
  public List<Placement> place(List<Request> asked) {
    List<Placement> answers = new ArrayList<>();
    asked.forEach(request -> answers.add(place(request)));
    return answers;
  }

  private Placement place(Request request) {
    requests++;
    if (given.containsKey(request.attempt())) {
      throw new AssertionError(request.attempt() + " is asked for twice");
    }
    long wanted = coresOf(request.demand().resources());
    for (Node node : nodes.values()) {
      if (node.ready && node.free() >= wanted) {
        node.taken.put(request.attempt(), wanted);
        given.put(request.attempt(), node);
        return new Placement.Placed(
            request.attempt(),
            new Placement.Decision("first 1", "first that has room", Map.of()),
            node.id,
            node.boot,
            Resources.NONE,
            ++node.version);
      }
    }
    return new Placement.NotPlaced(
        request.attempt(), new Placement.Decision("first 1", "no node fits now", Map.of()));
  }

  /** Thousandths of a core that a demand takes. */
  static long coresOf(Resources resources) {
    return resources.in(Environment.REE).get(ResourceType.CPU);
  }

  /** Gives back what attempts hold. */
  public void release(Collection<AttemptId> attempts) {
    for (AttemptId attempt : attempts) {
      Node node = given.remove(attempt);
      if (node != null) {
        node.taken.remove(attempt);
      }
    }
  }

  /** Attempts that hold something. */
  public Set<AttemptId> given() {
    return new HashSet<>(given.keySet());
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
