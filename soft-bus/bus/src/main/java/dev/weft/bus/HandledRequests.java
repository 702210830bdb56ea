package dev.weft.bus;

import dev.weft.api.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Requests of one boot of one peer, so that none is handled twice: answers are remembered for a
 * while and repeated; what is older than all that is remembered is refused.
 */
final class HandledRequests {
  /** Most answers remembered. */
  static final int REMEMBERED = 4_096;

  /** Most bytes of answers remembered. */
  static final int REMEMBERED_BYTES = 1 << 20;

  /** Most requests being handled. */
  static final int UNDER_WAY = Requests.MAXIMUM_PER_PEER;

  /** How long an answer is remembered. */
  static final Duration KEPT = Duration.ofSeconds(60);

  private final Map<Long, Instant> underWay = new LinkedHashMap<>();
  private final Map<Long, Answer> answers = new LinkedHashMap<>();
  private int bytes;
  private long forgottenUpTo;

  private record Answer(Bytes body, Instant at) {}

  /** What is to be done with a request. */
  enum Seen {
    /** It is new: handle it. */
    NEW,
    /** It is being handled: the answer will come. */
    UNDER_WAY,
    /** It was answered: repeat the answer. */
    ANSWERED,
    /** It may have been handled long ago: refuse it. */
    STALE,
    /** Too many are being handled: refuse it. */
    TOO_MANY
  }

  /** A request has arrived. */
  Seen see(long id, Instant now) {
    if (answers.containsKey(id)) {
      return Seen.ANSWERED;
    }
    if (underWay.containsKey(id)) {
      return Seen.UNDER_WAY;
    }
    if (id <= forgottenUpTo) {
      return Seen.STALE;
    }
    if (underWay.size() >= UNDER_WAY) {
      return Seen.TOO_MANY;
    }
    underWay.put(id, now);
    return Seen.NEW;
  }

  /**
   * A handler has answered.
   *
   * @return whether it is the first answer to a request that is being handled
   */
  boolean answered(long id, Bytes body, Instant now) {
    if (underWay.remove(id) == null) {
      return false;
    }
    answers.put(id, new Answer(body, now));
    bytes += body.length();
    while (answers.size() > REMEMBERED || (bytes > REMEMBERED_BYTES && answers.size() > 1)) {
      forgetOldest();
    }
    return true;
  }

  /** The answer to a request, if it is remembered. */
  Optional<Bytes> answerTo(long id) {
    return Optional.ofNullable(answers.get(id)).map(Answer::body);
  }

  /** Forgets what is old. */
  void expire(Instant now) {
    while (!answers.isEmpty() && !answers.values().iterator().next().at().plus(KEPT).isAfter(now)) {
      forgetOldest();
    }
    // Handlers that never answer must not fill it up for ever.
    Iterator<Map.Entry<Long, Instant>> oldest = underWay.entrySet().iterator();
    while (oldest.hasNext()) {
      Map.Entry<Long, Instant> request = oldest.next();
      if (request.getValue().plus(Requests.LONGEST_DEADLINE).isAfter(now)) {
        return;
      }
      forgottenUpTo = Math.max(forgottenUpTo, request.getKey());
      oldest.remove();
    }
  }

  private void forgetOldest() {
    Iterator<Map.Entry<Long, Answer>> all = answers.entrySet().iterator();
    Map.Entry<Long, Answer> oldest = all.next();
    forgottenUpTo = Math.max(forgottenUpTo, oldest.getKey());
    bytes -= oldest.getValue().body().length();
    all.remove();
  }
}
