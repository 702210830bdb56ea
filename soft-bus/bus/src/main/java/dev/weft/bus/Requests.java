package dev.weft.bus;

import dev.weft.api.Bytes;
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

  /** Longest time that a request is repeated. */
  static final Duration LONGEST_DEADLINE = Duration.ofMinutes(10);

  private static final Duration FIRST_WAIT = Duration.ofMillis(300);
  private static final Duration LONGEST_WAIT = FIRST_WAIT.multipliedBy(16);
  private static final int MAXIMUM_HURRIES = 3;

  private final Map<Long, Request> open = new HashMap<>();
  private final PriorityQueue<Due> due = new PriorityQueue<>(Comparator.comparing(Due::at));

  /** A request and when to look after it; out of date if the request says another time by now. */
  private record Due(Instant at, Request request) {}

  /** One of them. */
  static final class Request {
    final long id;
    final NodeId to;
    final Bytes body;
    final Instant deadline;
    private Instant next = Instant.MIN;
    private Duration wait = FIRST_WAIT;
    private int hurries;

    private Request(long id, NodeId to, Bytes body, Instant deadline) {
      this.id = id;
      this.to = to;
      this.body = body;
      this.deadline = deadline;
    }
  }

  int size() {
    return open.size();
  }

  void add(long id, NodeId to, Bytes body, Instant deadline, Instant now) {
    Request request = new Request(id, to, body, deadline);
    open.put(id, request);
    lookAfter(request, now.plus(FIRST_WAIT));
  }

  private void lookAfter(Request request, Instant next) {
    request.next = earlier(next, request.deadline);
    due.add(new Due(request.next, request));
  }

  /** Takes out a request that was answered; false if it was given up before. */
  boolean answered(long id, NodeId by) {
    Request request = open.get(id);
    if (request == null || !request.to.equals(by)) {
      return false;
    }
    open.remove(id);
    return true; // stays in the queue of due ones until its time, and is skipped there
  }

  /** Frames to a peer were lost: repeats its requests soon, a few times at most. */
  void hurry(NodeId to, Instant now) {
    Instant soon = now.plus(FIRST_WAIT);
    for (Request request : open.values()) {
      if (request.to.equals(to)
          && request.next.isAfter(soon)
          && request.hurries < MAXIMUM_HURRIES) {
        request.hurries++;
        lookAfter(request, soon);
      }
    }
  }

  /** Repeats what is due and gives up what is over. */
  void tick(Instant now, Consumer<Request> repeat, Consumer<Request> giveUp) {
    while (!due.isEmpty() && !due.peek().at().isAfter(now)) {
      Due first = due.poll();
      Request request = first.request();
      if (open.get(request.id) != request || !request.next.equals(first.at())) {
        continue;
      }
      if (!request.deadline.isAfter(now)) {
        open.remove(request.id);
        giveUp.accept(request);
        continue;
      }
      Duration longer = request.wait.multipliedBy(2);
      request.wait = longer.compareTo(LONGEST_WAIT) < 0 ? longer : LONGEST_WAIT;
      lookAfter(request, now.plus(request.wait));
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
}
