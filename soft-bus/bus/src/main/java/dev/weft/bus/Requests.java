package dev.weft.bus;

import dev.weft.api.Bytes;
import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/** Requests of this node that wait for an answer: repeated, and given up, in time. */
final class Requests {
  /** Most requests under way to one peer. */
  static final int MAXIMUM_PER_PEER = 1_024;

  /** Most requests under way. */
  static final int MAXIMUM = 16_384;

  private static final Duration FIRST_WAIT = Duration.ofMillis(300);

  private final Map<Long, Request> open = new HashMap<>();
  private final PriorityQueue<Request> due =
      new PriorityQueue<>(Comparator.comparing(request -> request.next));

  /** One of them. */
  static final class Request {
    final long id;
    final NodeId to;
    final Bytes body;
    final Instant deadline;
    private Instant next;
    private Duration wait = FIRST_WAIT;

    private Request(long id, NodeId to, Bytes body, Instant deadline, Instant next) {
      this.id = id;
      this.to = to;
      this.body = body;
      this.deadline = deadline;
      this.next = next;
    }
  }

  int size() {
    return open.size();
  }

  void add(long id, NodeId to, Bytes body, Instant deadline, Instant now) {
    Request request = new Request(id, to, body, deadline, earlier(now.plus(FIRST_WAIT), deadline));
    open.put(id, request);
    due.add(request);
  }

  /** Takes out a request that was answered; null if it was given up before. */
  boolean answered(long id, NodeId by) {
    Request request = open.get(id);
    if (request == null || !request.to.equals(by)) {
      return false;
    }
    open.remove(id);
    return true; // stays in the queue of due ones until its time, and is skipped there
  }

  /** Repeats what is due and gives up what is over. */
  void tick(Instant now, Consumer<Request> repeat, Consumer<Request> giveUp) {
    while (!due.isEmpty() && !due.peek().next.isAfter(now)) {
      Request request = due.poll();
      if (open.get(request.id) != request) {
        continue;
      }
      if (!request.deadline.isAfter(now)) {
        open.remove(request.id);
        giveUp.accept(request);
        continue;
      }
      request.wait = request.wait.multipliedBy(2);
      request.next = earlier(now.plus(request.wait), request.deadline);
      due.add(request);
      repeat.accept(request);
    }
  }

  /** Takes out every request to a peer. */
  List<Long> removeAll(NodeId to) {
    List<Long> ids = new ArrayList<>();
    open.values().stream().filter(request -> request.to.equals(to)).forEach(r -> ids.add(r.id));
    ids.forEach(open::remove);
    return ids;
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  static Fault full() {
    return new Fault(
        "bus.full",
        Fault.Category.RESOURCES,
        "too many requests are under way; try again later",
        true);
  }

  static Fault silent(NodeId peer) {
    return new Fault(
        "peer.silent", Fault.Category.EXTERNAL, "node " + peer + " did not answer in time", true);
  }

  static Fault down(NodeId peer) {
    return new Fault(
        "peer.down", Fault.Category.EXTERNAL, "node " + peer + " cannot be reached", true);
  }
}
