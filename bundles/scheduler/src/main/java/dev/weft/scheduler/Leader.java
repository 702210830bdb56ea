package dev.weft.scheduler;

import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.core.message.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Which resource manager is asked, and what it has not answered yet (A6). A question that is not
 * answered within T2 makes the leader suspect: the others are told, once in T1, until somebody
 * answers. The question goes, with the same attempts, to whomever they name; while they name nobody
 * else, to the same one again after T1. So nothing is lost, and nobody is asked without a bound.
 *
 * <p>While the leader is suspect nothing new is asked.
 */
final class Leader {
  private static final String FOLLOWER = "resources.follower";

  private final Waits waits;
  private final UnaryOperator<List<Request>> wanted;
  private final Consumer<SchedulerEffect> effects;
  private final Map<Long, Question> open = new TreeMap<>();
  private final NavigableSet<Due> due = new TreeSet<>();
  private List<NodeId> managers = List.of();
  private Optional<NodeId> leader = Optional.empty();
  private long term;
  private long lastNumber;
  private Optional<Suspicion> suspicion = Optional.empty();

  /** The waits of A4 and A6. */
  interface Waits {
    /** T1: not shorter than it is set, and not the same each time. */
    Duration retry();

    /** T2. */
    Duration answer();
  }

  /** A question: to whom, and when something must be done about it. */
  private record Question(NodeId manager, List<Request> requests, boolean rests, Instant until) {}

  /** Who is told of the suspect, and when again. */
  private record Suspicion(List<NodeId> told, Instant next) {}

  /** In order of time, then of asking. */
  private record Due(Instant at, long number) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int byTime = at.compareTo(other.at);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  /**
   * Knows no resource manager yet.
   *
   * @param waits asked each time
   * @param wanted takes out of a question what need not be asked again
   * @param effects where to say what is to be done
   */
  Leader(Waits waits, UnaryOperator<List<Request>> wanted, Consumer<SchedulerEffect> effects) {
    this.waits = waits;
    this.wanted = wanted;
    this.effects = effects;
  }

  /** Which resource managers there are, and who leads them as far as is known. */
  void managers(List<NodeId> all, Optional<NodeId> leads, Instant now) {
    managers = List.copyOf(all);
    if (!leads.equals(leader)) {
      change(leads, now);
    }
  }

  /** Who is asked now. */
  Optional<NodeId> current() {
    return leader;
  }

  boolean leads(NodeId manager) {
    return leader.equals(Optional.of(manager));
  }

  /** Whether there is a leader that answers, as far as is known. */
  boolean answers() {
    return leader.isPresent() && suspicion.isEmpty();
  }

  /** Asks the leader for nodes; requests of a gang stand together, and are never parted. */
  void ask(List<Request> requests, Instant now) {
    NodeId manager = leader.orElseThrow();
    List<Request> batch = new ArrayList<>();
    int to;
    for (int from = 0; from < requests.size(); from = to) {
      to = unit(requests, from);
      if (!batch.isEmpty() && batch.size() + to - from > Message.Place.MAXIMUM_REQUESTS) {
        askAt(manager, batch, now);
        batch = new ArrayList<>();
      }
      batch.addAll(requests.subList(from, to));
    }
    if (!batch.isEmpty()) {
      askAt(manager, batch, now);
    }
  }

  /** Where the request or the gang that begins at an index ends. */
  private static int unit(List<Request> requests, int from) {
    OptionalLong gang = requests.get(from).gang();
    int to = from + 1;
    while (gang.isPresent() && to < requests.size() && requests.get(to).gang().equals(gang)) {
      to++;
    }
    return to;
  }

  private void askAt(NodeId manager, List<Request> requests, Instant now) {
    List<Request> asked = List.copyOf(requests);
    put(new Question(manager, asked, false, now.plus(waits.answer())));
    effects.accept(new SchedulerEffect.Place(lastNumber, manager, asked));
  }

  private void put(Question question) {
    open.put(++lastNumber, question);
    due.add(new Due(question.until(), lastNumber));
  }

  private Optional<Question> take(long number) {
    Question question = open.remove(number);
    if (question != null) {
      due.remove(new Due(question.until(), number));
    }
    return Optional.ofNullable(question);
  }

  /** A manager has answered a question, perhaps late. */
  void answered(long number, NodeId from) {
    take(number);
    if (leads(from)) {
      suspicion = Optional.empty();
    }
  }

  /** A manager could not answer a question, or nobody knows whether it did. */
  void notAnswered(long number, Fault fault, Instant now) {
    Optional<Question> question = take(number);
    if (question.isEmpty()) {
      return; // it was asked again meanwhile
    }
    NodeId manager = question.get().manager();
    rest(question.get(), now);
    if (fault.code().equals(FOLLOWER)) {
      suspect(manager, managers, now); // it knows who leads, unless they elect
    } else if (fault.code().startsWith("peer.")) {
      suspect(manager, others(manager), now);
    } // else it has too much to do
  }

  private List<NodeId> others(NodeId manager) {
    return managers.stream().filter(other -> !other.equals(manager)).toList();
  }

  private void rest(Question question, Instant now) {
    put(new Question(question.manager(), question.requests(), true, now.plus(waits.retry())));
  }

  private void suspect(NodeId manager, List<NodeId> told, Instant now) {
    if (leads(manager) && suspicion.isEmpty()) {
      suspicion = Optional.of(new Suspicion(told, now));
      tell(now);
    }
  }

  private void tell(Instant now) {
    Suspicion known = suspicion.orElseThrow();
    suspicion = Optional.of(new Suspicion(known.told(), now.plus(waits.retry())));
    NodeId suspect = leader.orElseThrow();
    known.told().forEach(other -> effects.accept(new SchedulerEffect.Suspect(other, suspect)));
  }

  /** A manager tells who leads. */
  void leading(SchedulerEvent.Leading event, Instant now) {
    if (!managers.contains(event.from()) || event.authority().term() < term) {
      return;
    }
    term = event.authority().term();
    if (event.leader().isPresent() && !event.leader().equals(leader)) {
      change(event.leader(), now);
    }
  }

  private void change(Optional<NodeId> leads, Instant now) {
    leader = leads;
    suspicion = Optional.empty();
    for (long number : new ArrayList<>(open.keySet())) {
      if (leads.isPresent() && !leads(open.get(number).manager())) {
        askAgain(leads.get(), take(number).orElseThrow(), now);
      }
    }
  }

  private void askAgain(NodeId manager, Question question, Instant now) {
    List<Request> left = wanted.apply(question.requests());
    if (!left.isEmpty()) {
      askAt(manager, left, now);
    }
  }

  /** Lets time pass: what was not answered in time, and what has rested. */
  void tick(Instant now) {
    while (!due.isEmpty() && !due.first().at().isAfter(now)) {
      Question question = take(due.first().number()).orElseThrow();
      if (!question.rests()) {
        rest(question, now);
        suspect(question.manager(), others(question.manager()), now);
      } else if (leader.isPresent()) {
        askAgain(leader.get(), question, now);
      } else {
        rest(question, now);
      }
    }
    if (suspicion.filter(known -> !known.next().isAfter(now)).isPresent()) {
      tell(now);
    }
  }

  /** How many questions are open. */
  int open() {
    return open.size();
  }
}
