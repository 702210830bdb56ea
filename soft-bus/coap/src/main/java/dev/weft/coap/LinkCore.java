package dev.weft.coap;

import dev.weft.api.Bytes;
import dev.weft.api.bus.Announcement;
import dev.weft.api.bus.Discovery.Sighting;
import dev.weft.api.bus.Discovery.Trace;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Discovery on one interface in one address family: when to ask, what to answer, what to believe. A
 * functional core: no sockets, threads or clock; times are in milliseconds and never go back.
 */
final class LinkCore {
  /** When questions are sent after the link opened, in milliseconds. */
  private static final long[] BURST = {0, 300, 1_000};

  private static final long PERIOD = 5_000;
  private static final int JITTER = 500;
  private static final int LEISURE = 100;
  private static final long SECOND = 1_000;
  private static final int ANSWERS_PER_SOURCE = 10;
  private static final int ANSWERS = 200;
  private static final int RECEIVED = 2_000;
  private static final int IDS = 1 << 16;
  private static final int TOKEN_BYTES = 4;

  private final Announcement own;
  private final LocalAddress local;
  private final RandomGenerator random;
  private final Bytes token;
  private final Deque<Planned> answers = new ArrayDeque<>();
  private final Map<InetSocketAddress, Integer> answersOfSecond = new HashMap<>();
  private final long opened;
  private int messageId;
  private int questions;
  private long nextQuestion;
  private long second;
  private int plannedInSecond;
  private int receivedInSecond;

  LinkCore(Announcement own, LocalAddress local, RandomGenerator random, long now) {
    this.own = own;
    this.local = local;
    this.random = random;
    this.opened = now;
    this.nextQuestion = now;
    this.second = now;
    this.messageId = random.nextInt(IDS);
    byte[] drawn = new byte[TOKEN_BYTES];
    random.nextBytes(drawn);
    this.token = Bytes.of(drawn);
  }

  /** What to do now. */
  List<Effect> tick(long now) {
    List<Effect> effects = new ArrayList<>();
    newSecond(now, effects);
    if (now >= nextQuestion) {
      effects.add(
          new Effect.Send(
              Optional.empty(), DiscoveryMessage.question(own, nextId(), token), "question"));
      questions++;
      nextQuestion =
          questions < BURST.length
              ? opened + BURST[questions]
              : now + PERIOD - JITTER + random.nextInt(2 * JITTER);
    }
    while (!answers.isEmpty() && answers.peek().due() <= now) {
      Planned planned = answers.poll();
      effects.add(
          new Effect.Send(
              Optional.of(planned.to()),
              DiscoveryMessage.answer(own, nextId(), planned.token()),
              "answer to " + text(planned.to())));
    }
    return effects;
  }

  /** When {@link #tick} has something to do at the latest. */
  long nextDue() {
    return answers.isEmpty() ? nextQuestion : Math.min(nextQuestion, answers.peek().due());
  }

  /** What to say at the end. */
  Effect goodbye() {
    return new Effect.Send(Optional.empty(), DiscoveryMessage.goodbye(own, nextId()), "goodbye");
  }

  /** Something came in. */
  List<Effect> received(InetSocketAddress from, byte[] datagram, long now) {
    List<Effect> effects = new ArrayList<>();
    newSecond(now, effects);
    receivedInSecond++;
    if (receivedInSecond > RECEIVED) {
      return effects;
    }
    if (!isFromHere(from.getAddress())) {
      effects.add(dropped("from another interface", from));
      return effects;
    }
    DiscoveryMessage message = DiscoveryMessage.parse(datagram);
    if (message instanceof DiscoveryMessage.Question question) {
      question(question, from, now, effects);
    } else if (message instanceof DiscoveryMessage.Answer answer) {
      if (isOwn(answer.announcement())) {
        effects.add(dropped("own", from));
      } else if (!answer.token().equals(token)) {
        effects.add(dropped("answer to no question", from));
      } else {
        found("answer", answer.announcement(), from, effects);
      }
    } else if (message instanceof DiscoveryMessage.Goodbye goodbye) {
      if (isOwn(goodbye.announcement())) {
        effects.add(dropped("own", from));
      } else {
        effects.add(received("goodbye", goodbye.announcement(), from));
        effects.add(new Effect.Lost(sighting(goodbye.announcement(), from)));
      }
    } else if (message instanceof DiscoveryMessage.Unusable unusable) {
      effects.add(dropped(unusable.reason(), from));
    }
    return effects;
  }

  private void question(
      DiscoveryMessage.Question question, InetSocketAddress from, long now, List<Effect> effects) {
    if (question.asker().filter(this::isOwn).isPresent()) {
      effects.add(dropped("own", from));
      return;
    }
    question
        .asker()
        .ifPresentOrElse(
            asker -> found("question", asker, from, effects),
            () -> effects.add(traced(Trace.Kind.RECEIVED, "question from " + text(from))));
    if (plannedInSecond >= ANSWERS
        || answersOfSecond.merge(from, 1, Integer::sum) > ANSWERS_PER_SOURCE) {
      effects.add(dropped("rate: too many questions", from));
      return;
    }
    plannedInSecond++;
    Planned planned = new Planned(now + random.nextInt(LEISURE), from, question.token());
    // Answers are kept in the order in which they are due.
    List<Planned> later = new ArrayList<>();
    while (!answers.isEmpty() && answers.peekLast().due() > planned.due()) {
      later.add(answers.pollLast());
    }
    answers.add(planned);
    for (int i = later.size() - 1; i >= 0; i--) {
      answers.add(later.get(i));
    }
  }

  private void newSecond(long now, List<Effect> effects) {
    if (now - second < SECOND) {
      return;
    }
    if (receivedInSecond > RECEIVED) {
      effects.add(
          traced(
              Trace.Kind.DROPPED,
              "rate: " + (receivedInSecond - RECEIVED) + " datagrams in one second"));
    }
    second = now;
    receivedInSecond = 0;
    plannedInSecond = 0;
    answersOfSecond.clear();
  }

  // The operating system may hand over what came in elsewhere.
  private boolean isFromHere(InetAddress from) {
    return local.isSameFamily(from)
        && from.isLoopbackAddress() == local.address().isLoopbackAddress()
        && (!from.isLinkLocalAddress()
            || !(from instanceof Inet6Address)
            || local.isNeighbour(from));
  }

  private boolean isOwn(Announcement announcement) {
    return announcement.salt().equals(own.salt()) && announcement.shortId().equals(own.shortId());
  }

  private void found(
      String how, Announcement announcement, InetSocketAddress from, List<Effect> effects) {
    effects.add(received(how, announcement, from));
    effects.add(new Effect.Found(sighting(announcement, from)));
  }

  private Sighting sighting(Announcement announcement, InetSocketAddress from) {
    return new Sighting(
        announcement,
        new InetSocketAddress(from.getAddress(), announcement.port()),
        local.interfaceName());
  }

  private Effect received(String how, Announcement announcement, InetSocketAddress from) {
    return traced(
        Trace.Kind.RECEIVED, how + " from " + announcement.shortId() + " at " + text(from));
  }

  private Effect dropped(String reason, InetSocketAddress from) {
    return traced(Trace.Kind.DROPPED, reason + ", from " + text(from));
  }

  private Effect traced(Trace.Kind kind, String detail) {
    return new Effect.Traced(new Trace(local.interfaceName(), kind, detail));
  }

  private static String text(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + " port " + address.getPort();
  }

  private int nextId() {
    messageId = (messageId + 1) % IDS;
    return messageId;
  }

  /** What the shell is to do. */
  sealed interface Effect {
    /** Send a datagram, to the group if no address is given. */
    record Send(Optional<InetSocketAddress> to, Bytes datagram, String what) implements Effect {}

    /** A node was seen. */
    record Found(Sighting sighting) implements Effect {}

    /** A node went. */
    record Lost(Sighting sighting) implements Effect {}

    /** Something to tell. */
    record Traced(Trace trace) implements Effect {}
  }

  private record Planned(long due, InetSocketAddress to, Bytes token) {}
}
