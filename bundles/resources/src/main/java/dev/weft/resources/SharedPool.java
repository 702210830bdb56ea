package dev.weft.resources;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.policy.NodeOrder;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.core.bus.Peer;
import dev.weft.core.message.Message;
import dev.weft.core.resources.Authority;
import dev.weft.core.resources.NodeStatus;
import dev.weft.core.resources.Placement;
import dev.weft.resources.pool.PoolTree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The shared pool: every node with its placements (B1), an index of those that get tasks, and the
 * placements that are no longer wanted, whose nodes are asked until they confirm (B7).
 */
final class SharedPool {
  private ResourceSettings settings;
  private final Map<NodeId, NodeEntry> nodes = new LinkedHashMap<>();
  private final Map<AttemptId, NodeEntry> placed = new HashMap<>();
  private final Set<AttemptId> unwanted = new LinkedHashSet<>();
  private final Set<NodeId> down = new LinkedHashSet<>(); // the first to go first
  private PoolTree tree = PoolTree.empty(NodeOrder.NONE);

  SharedPool(ResourceSettings settings) {
    this.settings = settings;
  }

  void settings(ResourceSettings changed) {
    settings = changed;
  }

  /** The nodes that get tasks, now. */
  PoolTree tree() {
    return tree;
  }

  void order(NodeOrder order) {
    tree = tree.withOrder(order);
  }

  void up(Peer peer) {
    NodeEntry node = nodes.computeIfAbsent(peer.id(), NodeEntry::new);
    down.remove(peer.id());
    forget(node.up(peer.hostName(), peer.boot()));
    index(node);
  }

  void down(Peer peer, String why) {
    NodeEntry node = nodes.get(peer.id());
    if (node == null || node.boot() > peer.boot()) {
      return; // unknown, or back already in a later boot
    }
    forget(node.down(why));
    index(node);
    down.add(peer.id());
    if (down.size() > ResourceCore.MAXIMUM_DOWN) {
      Iterator<NodeId> oldest = down.iterator();
      nodes.remove(oldest.next());
      oldest.remove();
    }
  }

  /** A report has arrived (A5). Returns what it led to; empty if it does not count. */
  Optional<NodeEntry.Verdict> report(
      NodeId from, Message.Report report, Authority authority, Instant now) {
    NodeEntry node = nodes.get(from);
    if (node == null) {
      return Optional.empty();
    }
    Optional<NodeEntry.Verdict> verdict = node.report(report, authority.term(), settings, now);
    verdict.ifPresent(
        counted -> {
          forget(counted.over());
          // Only a report that could have named them tells that the dispatch did not arrive.
          withdraw(node.unnamedSince(now.minus(settings.placementTimeout())));
          index(node);
        });
    return verdict;
  }

  boolean isUp(NodeId id) {
    return nodes.containsKey(id) && !down.contains(id);
  }

  /** What was given before a new term counts no more; nodes are used when they know the term. */
  void newTerm() {
    for (NodeEntry node : nodes.values()) {
      forget(node.clear());
      index(node);
    }
  }

  /** What an attempt was given already, if its placement still holds. */
  Optional<NodeEntry.Held> placement(AttemptId attempt) {
    return Optional.ofNullable(placed.get(attempt)).flatMap(node -> node.placement(attempt));
  }

  /** Takes what a request wants of a node that has it. */
  Placement.Placed place(
      Request request,
      NodeId id,
      Placement.Decision decision,
      Resources taken,
      Authority authority,
      Instant now) {
    NodeEntry node = nodes.get(id);
    Placement.Placed answer = node.place(request.attempt(), decision, taken, authority, now);
    placed.put(request.attempt(), node);
    index(node);
    return answer;
  }

  /** The node has said that attempts of it are over, in a boot of it. */
  void over(NodeId id, long boot, Collection<AttemptId> attempts) {
    NodeEntry node = nodes.get(id);
    if (node == null || node.boot() != boot) {
      return;
    }
    boolean news = false;
    for (AttemptId attempt : attempts) {
      if (placed.get(attempt) == node) {
        forget(List.of(attempt));
        news |= node.giveBack(attempt);
      }
    }
    if (news) {
      index(node);
    }
  }

  /** The node has answered a question about attempts that are not wanted: these are over. */
  void confirmed(NodeId id, Collection<AttemptId> attempts) {
    NodeEntry node = nodes.get(id);
    if (node != null) {
      over(id, node.boot(), attempts.stream().filter(unwanted::contains).toList());
    }
  }

  /** Placements that are not wanted any more: their nodes are asked from now on. */
  void withdraw(Collection<AttemptId> attempts) {
    for (AttemptId attempt : attempts) {
      placement(attempt)
          .ifPresent(
              placement -> {
                placement.unwanted = true;
                unwanted.add(attempt);
              });
    }
  }

  /** Whom to ask now about which placements that are not wanted. */
  Map<NodeId, List<AttemptId>> takeCancels(Instant now) {
    if (unwanted.isEmpty()) {
      return Map.of();
    }
    Map<NodeId, List<AttemptId>> due = new LinkedHashMap<>();
    for (AttemptId attempt : unwanted) {
      NodeEntry node = placed.get(attempt);
      NodeEntry.Held placement = node.placement(attempt).orElseThrow();
      if (!placement.nextCancel.isAfter(now)) {
        placement.nextCancel = now.plus(settings.cancelPeriod());
        due.computeIfAbsent(node.id(), id -> new ArrayList<>()).add(attempt);
      }
    }
    return due;
  }

  boolean eligible(NodeId id, boolean wanted) {
    NodeEntry node = nodes.get(id);
    if (node == null) {
      return false;
    }
    node.eligible(wanted);
    index(node);
    return true;
  }

  private void forget(Collection<AttemptId> attempts) {
    for (AttemptId attempt : attempts) {
      placed.remove(attempt);
      unwanted.remove(attempt);
    }
  }

  private void index(NodeEntry node) {
    tree = node.isReady() ? tree.with(node.view()) : tree.without(node.id());
  }

  /** How many placements are kept. */
  int placements() {
    return placed.size();
  }

  /** How many of them are not wanted. */
  int unwanted() {
    return unwanted.size();
  }

  /** Every node that was met and is not forgotten, in order of name. */
  List<NodeStatus> status() {
    return nodes.values().stream()
        .map(NodeEntry::status)
        .sorted(Comparator.comparing(NodeStatus::name).thenComparing(NodeStatus::id))
        .toList();
  }

  Optional<NodeStatus> status(NodeId id) {
    return Optional.ofNullable(nodes.get(id)).map(NodeEntry::status);
  }
}
