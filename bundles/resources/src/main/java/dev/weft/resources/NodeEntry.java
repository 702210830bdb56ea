package dev.weft.resources;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.policy.NodeView;
import dev.weft.core.message.Message;
import dev.weft.core.message.Message.Correction;
import dev.weft.core.resources.Authority;
import dev.weft.core.resources.NodeStatus;
import dev.weft.core.resources.NodeStatus.State;
import dev.weft.core.resources.Placement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the pool knows of one node, and the rules by which a report changes it (B1 to B7). Used by
 * the core's thread only; {@link #view} and {@link #status} give values that may leave it.
 */
final class NodeEntry {
  private final NodeId id;
  private final Map<AttemptId, Held> placements = new LinkedHashMap<>();
  private String name = "";
  private boolean up;
  private boolean eligible = true;
  private String downReason = "";
  private long boot;
  private long reportNumber;

  /** Whether the node has reported in the term of this manager since it came up. */
  private boolean settled;

  private Resources offered = Resources.NONE;

  /** The amount of B1; what can be given is {@link #free()}. */
  private Resources recorded = Resources.NONE;

  private Resources given = Resources.NONE;
  private Resources unnamed = Resources.NONE;
  private long version;
  private Mismatch mismatch = Mismatch.NONE;
  private Message.Description description =
      new Message.Description(new TreeMap<>(), Inventory.EMPTY);
  private boolean described;
  private Instant reportedAt = Instant.EPOCH;
  private Optional<NodeView> view = Optional.empty();

  /** Since when reports disagree with the recorded version, and whether the node was told (B4). */
  private record Mismatch(Instant since, boolean told) {
    static final Mismatch NONE = new Mismatch(Instant.MAX, false);
  }

  /** A placement that the node holds, or may hold once its dispatch arrives. */
  static final class Held {
    final Placement.Placed placed;
    final Instant since;
    boolean named;
    boolean unwanted;
    Instant nextCancel = Instant.EPOCH;

    private Held(Placement.Placed placed, Instant since) {
      this.placed = placed;
      this.since = since;
    }
  }

  /** What a report has led to. */
  record Verdict(Correction correction, long version, boolean describe, List<AttemptId> over) {
    Verdict {
      over = List.copyOf(over);
    }
  }

  NodeEntry(NodeId id) {
    this.id = id;
  }

  /** The node can be talked to, perhaps in a later boot. Returns placements that are void. */
  List<AttemptId> up(String hostName, long peerBoot) {
    name = hostName;
    up = true;
    view = Optional.empty();
    return peerBoot > boot ? restart(peerBoot) : List.of();
  }

  /** The node is declared dead: its placements are withdrawn (B7). */
  List<AttemptId> down(String why) {
    up = false;
    downReason = why;
    return clear();
  }

  /** A restarted node has ended all that it ran before (B5). */
  private List<AttemptId> restart(long newBoot) {
    boot = newBoot;
    reportNumber = 0;
    described = false;
    return clear();
  }

  /** Forgets the placements and what the node believes; its next report is adopted. */
  List<AttemptId> clear() {
    List<AttemptId> all = List.copyOf(placements.keySet());
    placements.clear();
    given = Resources.NONE;
    unnamed = Resources.NONE;
    settled = false;
    mismatch = Mismatch.NONE;
    view = Optional.empty();
    return all;
  }

  /**
   * Takes in a report.
   *
   * @param term of this manager
   * @return empty if a later one is known already (B3), or the node is not up
   */
  Optional<Verdict> report(
      Message.Report report, long term, ResourceSettings settings, Instant now) {
    boolean later =
        report.boot() > boot || (report.boot() == boot && report.number() > reportNumber);
    if (!later || !up) {
      return Optional.empty();
    }
    List<AttemptId> over = new ArrayList<>();
    if (report.boot() > boot) {
      over.addAll(restart(report.boot()));
    }
    view = Optional.empty();
    reportNumber = report.number();
    reportedAt = now;
    offered = report.offered();
    report
        .description()
        .ifPresent(
            found -> {
              description = found;
              described = true;
            });
    over.addAll(name(report.held(), report.over()));
    Correction correction = Correction.NONE;
    if (report.term() != term) {
      settled = false; // it hears of the term by the answer, and reports again (A6)
    } else if (!settled) {
      settled = true;
      version = report.version();
      adopt(report);
    } else {
      correction = compare(report, settings, now);
    }
    return Optional.of(new Verdict(correction, version, !described, over));
  }

  /** What naming tells, whatever the version (B7). Returns placements that are over. */
  private List<AttemptId> name(Collection<AttemptId> held, Collection<AttemptId> over) {
    if (placements.isEmpty()) {
      return List.of();
    }
    List<AttemptId> ended = new ArrayList<>();
    for (AttemptId attempt : over) {
      if (placements.containsKey(attempt)) {
        ended.add(attempt);
      }
    }
    Set<AttemptId> running = new HashSet<>(held);
    for (Map.Entry<AttemptId, Held> entry : placements.entrySet()) {
      Held placement = entry.getValue();
      if (!running.contains(entry.getKey())) {
        // A report names every running attempt: what was named once and is not any more has ended.
        if (placement.named && !ended.contains(entry.getKey())) {
          ended.add(entry.getKey());
        }
      } else if (!placement.named) {
        placement.named = true;
        unnamed = unnamed.minusAtMost(placement.placed.taken());
      }
    }
    ended.forEach(this::giveBack);
    return ended;
  }

  /** Takes over the reported amount, less what the node cannot know yet (B7). */
  private void adopt(Message.Report report) {
    recorded = report.free().minusAtMost(unnamed);
    mismatch = Mismatch.NONE;
  }

  /** B3 and B4. */
  private Correction compare(Message.Report report, ResourceSettings settings, Instant now) {
    if (report.update()) {
      adopt(report);
      return Correction.TAKE;
    }
    if (report.version() == version) {
      Correction agreement = mismatch.told() ? Correction.AGREES : Correction.NONE;
      adopt(report);
      return agreement;
    }
    if (mismatch.equals(Mismatch.NONE)) {
      mismatch = new Mismatch(now, false);
    }
    if (now.isBefore(mismatch.since().plus(settings.mismatchTime()))) {
      return Correction.NONE;
    }
    return switch (settings.reconcile()) {
      case ADOPT -> {
        version = report.version();
        adopt(report);
        yield Correction.NONE;
      }
      case IMPOSE -> {
        adopt(report);
        yield Correction.TAKE;
      }
      case ASK -> {
        mismatch = new Mismatch(mismatch.since(), true);
        yield Correction.DIFFERS;
      }
    };
  }

  /** Takes an amount (B2). */
  Placement.Placed place(
      AttemptId attempt,
      Placement.Decision decision,
      Resources taken,
      Authority authority,
      Instant now) {
    recorded = recorded.minusAtMost(taken);
    given = given.plus(taken);
    unnamed = unnamed.plus(taken);
    version++;
    view = Optional.empty();
    Placement.Placed placed =
        new Placement.Placed(attempt, decision, id, boot, authority, taken, free(), version);
    placements.put(attempt, new Held(placed, now));
    return placed;
  }

  /** The node holds nothing of the attempt, and never will. Returns whether that is news. */
  boolean giveBack(AttemptId attempt) {
    Held placement = placements.remove(attempt);
    if (placement == null) {
      return false;
    }
    Resources taken = placement.placed.taken();
    given = placements.isEmpty() ? Resources.NONE : given.minusAtMost(taken);
    if (!placement.named) {
      unnamed = unnamed.minusAtMost(taken);
    }
    // Every amount adopted since it was placed was lowered by it: held by the node, or unnamed.
    recorded = recorded.plus(taken);
    view = Optional.empty();
    return true;
  }

  Optional<Held> placement(AttemptId attempt) {
    return Optional.ofNullable(placements.get(attempt));
  }

  /** Placements older than a moment that the node has not named. */
  List<AttemptId> unnamedSince(Instant before) {
    if (unnamed.equals(Resources.NONE)) {
      return List.of();
    }
    List<AttemptId> found = new ArrayList<>();
    for (Map.Entry<AttemptId, Held> entry : placements.entrySet()) {
      Held placement = entry.getValue();
      if (!placement.named && !placement.unwanted && placement.since.isBefore(before)) {
        found.add(entry.getKey());
      }
    }
    return found;
  }

  /**
   * What can still be given: the recorded amount, and never more than the offer less every known
   * placement.
   */
  Resources free() {
    Resources most = offered.minusAtMost(given);
    return most.minusAtMost(most.minusAtMost(recorded));
  }

  void eligible(boolean wanted) {
    eligible = wanted;
  }

  private boolean overcommitted() {
    // A node that offers nothing, such as one without an executor, is not over-committed by it.
    return !given.equals(Resources.NONE) && !offered.covers(given);
  }

  /** Whether the node gets tasks (I1). */
  boolean isReady() {
    return isUp() && eligible && !overcommitted();
  }

  private boolean isUp() {
    return up && settled;
  }

  NodeId id() {
    return id;
  }

  long boot() {
    return boot;
  }

  int placements() {
    return placements.size();
  }

  private String reason() {
    if (!up) {
      return downReason;
    }
    if (!settled) {
      return "has not reported yet";
    }
    if (overcommitted()) {
      return "offers less than it was given";
    }
    return eligible ? "takes tasks" : "made ineligible by an operator";
  }

  NodeView view() {
    if (view.isEmpty()) {
      view = Optional.of(new NodeView(id, name, offered, free(), description.labels(), version));
    }
    return view.get();
  }

  NodeStatus status() {
    State state = state();
    return new NodeStatus(
        id,
        name,
        state,
        reason(),
        offered,
        given,
        state == State.DOWN ? Resources.NONE : free(),
        version,
        boot,
        description.labels(),
        description.inventory(),
        placements.size(),
        reportedAt);
  }

  private State state() {
    if (!isUp()) {
      return State.DOWN;
    }
    if (overcommitted()) {
      return State.OVERCOMMITTED;
    }
    return eligible ? State.READY : State.INELIGIBLE;
  }
}
