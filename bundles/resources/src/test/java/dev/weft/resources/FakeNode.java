package dev.weft.resources;

import dev.weft.api.AttemptId;
import dev.weft.api.Resources;
import dev.weft.api.bus.Role;
import dev.weft.api.inventory.Inventory;
import dev.weft.core.bus.Peer;
import dev.weft.core.message.Message;
import dev.weft.core.resources.Placement;
import dev.weft.testkit.policy.Pool;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A node as spec B describes it, with nothing but what the resource manager sees of it. */
final class FakeNode {
  final int number;
  Resources offered;
  long boot = 1;
  long reports;
  long term = 1;
  long version;
  final Map<AttemptId, Resources> held = new LinkedHashMap<>();
  final Set<AttemptId> over = new LinkedHashSet<>();
  private final Set<AttemptId> refused = new HashSet<>();

  FakeNode(int number, Resources offered) {
    this.number = number;
    this.offered = offered;
  }

  Peer peer() {
    return new Peer(
        Pool.id(number),
        boot,
        "node-" + number,
        Set.of(Role.AGENT),
        InetSocketAddress.createUnresolved("127.0.0.1", 1),
        "test");
  }

  Resources free() {
    Resources free = offered;
    for (Resources taken : held.values()) {
      free = free.minusAtMost(taken);
    }
    return free;
  }

  /** A dispatch arrives (B5, B6, B8). */
  void dispatch(Placement.Placed placed) {
    if (placed.boot() != boot || placed.authority().term() < term) {
      return;
    }
    if (refused.contains(placed.attempt()) || !free().covers(placed.taken())) {
      over.add(placed.attempt());
      return;
    }
    version = Math.max(version, placed.version());
    held.put(placed.attempt(), placed.taken());
  }

  void end(AttemptId attempt) {
    if (held.remove(attempt) != null) {
      over.add(attempt);
    }
  }

  /** Answers a cancellation: what does not run is refused from now on. */
  List<AttemptId> cancel(List<AttemptId> attempts) {
    attempts.forEach(this::end); // it stops at once
    refused.addAll(attempts);
    return attempts;
  }

  void restart() {
    boot++;
    reports = 0;
    version = 0;
    held.clear();
    over.clear();
    refused.clear();
  }

  Message.Report report() {
    return report(false);
  }

  Message.Report report(boolean update) {
    return new Message.Report(
        boot,
        ++reports,
        term,
        offered,
        free(),
        version,
        List.copyOf(held.keySet()),
        List.copyOf(over),
        update,
        Optional.of(new Message.Description(new TreeMap<>(), Inventory.EMPTY)));
  }

  void answered(Message.Reported answer) {
    over.removeAll(answer.acknowledged());
    term = Math.max(term, answer.authority().term());
    if (answer.correction() == Message.Correction.TAKE) {
      version = answer.version();
    }
  }
}
