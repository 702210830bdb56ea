package dev.weft.agent;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.core.message.Message;
import dev.weft.core.message.Message.AttemptStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Says when which attempts are told to which manager (A8): each once a period, changes of phase
 * soon, ends as soon as no event waits. Part of the core: its thread, no I/O.
 *
 * <p>Ends are gathered while {@link #EAGER} messages to their manager are under way, so that many
 * short attempts share messages without any of them waiting for a timer.
 */
final class StatusPlan {
  /** Bytes that the attempts of one message may take; the bus carries 48 KiB. */
  static final int MAXIMUM_BYTES = 40 * 1024;

  /** Most messages under way, to all managers together. */
  static final int MAXIMUM_UNDER_WAY = 512;

  /** Messages under way to a manager up to which an end does not wait for company. */
  static final int EAGER = 4;

  /** How long a new phase waits; what is over by then sends its end only. */
  static final Duration PHASE_DELAY = Duration.ofMillis(50);

  private final Map<Long, Sent> underWay = new HashMap<>();
  private final Map<NodeId, Integer> underWayTo = new HashMap<>();
  // Only managers that are up have a queue; sorted, so that runs can be repeated.
  private final SortedMap<NodeId, Queue<Slot>> ended = new TreeMap<>();
  private long number;

  /** A status under way. */
  record Sent(NodeId manager, Instant at, List<Told> told) {}

  /** What was said of an attempt. */
  record Told(AttemptId attempt, boolean outcome) {}

  void managerUp(NodeId manager, Collection<Slot> slots, Instant now) {
    ended.computeIfAbsent(manager, id -> new ArrayDeque<>());
    for (Slot slot : slots) {
      if (slot.manager().equals(manager)) {
        slot.nextStatus = now;
      }
    }
  }

  void managerDown(NodeId manager) {
    Queue<Slot> dropped = ended.remove(manager);
    if (dropped != null) {
      dropped.forEach(slot -> slot.queued = false);
    }
  }

  void phaseChanged(Slot slot, Instant now) {
    Instant soon = now.plus(PHASE_DELAY);
    if (soon.isBefore(slot.nextStatus)) {
      slot.nextStatus = soon;
    }
  }

  void ended(Slot slot, Instant now) {
    slot.nextStatus = now;
    queue(slot);
  }

  private void queue(Slot slot) {
    Queue<Slot> queue = ended.get(slot.manager());
    if (queue != null && !slot.queued && !slot.outcomeUnderWay) {
      slot.queued = true;
      queue.add(slot);
    }
  }

  /** Sends the ends that need not wait for company. */
  void sendEnded(Instant now, List<AgentEffect> effects) {
    ended.forEach(
        (manager, queue) -> {
          while (!queue.isEmpty()
              && (underWayTo.getOrDefault(manager, 0) < EAGER
                  || queue.size() >= Message.Status.MAXIMUM_ATTEMPTS)
              && underWay.size() < MAXIMUM_UNDER_WAY) {
            sendBatch(manager, queue, now, effects);
          }
        });
  }

  /** Sends everything that is due. */
  void sendDue(Collection<Slot> slots, Instant now, List<AgentEffect> effects) {
    SortedMap<NodeId, Queue<Slot>> due = new TreeMap<>();
    for (Slot slot : slots) {
      if (!ended.containsKey(slot.manager()) || slot.nextStatus.isAfter(now)) {
        continue;
      }
      if (slot.isEnded()) {
        queue(slot);
      } else if (slot.isWanted()) {
        due.computeIfAbsent(slot.manager(), id -> new ArrayDeque<>()).add(slot);
      }
    }
    // Ends ride in the same messages.
    ended.forEach(
        (manager, queue) -> {
          if (!queue.isEmpty()) {
            due.computeIfAbsent(manager, id -> new ArrayDeque<>()).addAll(queue);
            queue.clear();
          }
        });
    due.forEach(
        (manager, queue) -> {
          while (!queue.isEmpty() && underWay.size() < MAXIMUM_UNDER_WAY) {
            sendBatch(manager, queue, now, effects);
          }
          for (Slot left : queue) {
            left.queued = false;
          }
        });
  }

  private void sendBatch(
      NodeId manager, Queue<Slot> queue, Instant now, List<AgentEffect> effects) {
    List<AttemptStatus> statuses = new ArrayList<>();
    List<Told> told = new ArrayList<>();
    Duration deadline = queue.element().rules().period();
    int bytes = 0;
    while (!queue.isEmpty() && statuses.size() < Message.Status.MAXIMUM_ATTEMPTS) {
      Slot slot = queue.element();
      AttemptStatus status = slot.status(now);
      bytes += WireSize.of(status);
      if (bytes > MAXIMUM_BYTES && !statuses.isEmpty()) {
        break;
      }
      queue.remove();
      slot.queued = false;
      if (slot.isEnded() && !slot.isWanted()) {
        continue;
      }
      slot.outcomeUnderWay = slot.isEnded();
      slot.nextStatus = now.plus(slot.rules().period());
      if (slot.rules().period().compareTo(deadline) < 0) {
        deadline = slot.rules().period();
      }
      statuses.add(status);
      told.add(new Told(slot.attempt(), slot.isEnded()));
    }
    if (statuses.isEmpty()) {
      return;
    }
    number++;
    underWay.put(number, new Sent(manager, now, told));
    underWayTo.merge(manager, 1, Integer::sum);
    effects.add(
        new AgentEffect.SendStatus(manager, number, new Message.Status(statuses), deadline));
  }

  /** A message is not under way any more; empty if it never was. */
  Optional<Sent> arrived(long answeredNumber) {
    Optional<Sent> sent = Optional.ofNullable(underWay.remove(answeredNumber));
    sent.ifPresent(
        one -> underWayTo.computeIfPresent(one.manager(), (id, n) -> n > 1 ? n - 1 : null));
    return sent;
  }
}
