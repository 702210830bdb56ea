package dev.weft.scheduler.flow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The jobs that have tasks waiting, in the order in which they may fill slots: higher priority
 * first; of the same priority the submitter who has the fewest slots; of a submitter his jobs in
 * turn. So who submits a million tasks does not keep others waiting, and who is alone has
 * everything. A submitter's slots count whatever the priority of the jobs that have them.
 *
 * @param <J> a job
 */
public final class FairQueue<J> {
  // Within a priority, submitters in order of their first job.
  private final NavigableMap<Integer, Map<String, Deque<J>>> waiting =
      new TreeMap<>(Comparator.reverseOrder());
  private final Map<J, Place> places = new LinkedHashMap<>();
  private final SortedMap<String, Integer> slots = new TreeMap<>();

  /** Where a job stands. */
  private record Place(int priority, String submitter) {}

  /** A submitter in a traversal: how many of his jobs had nothing to give, one after the other. */
  private static final class Turn<J> {
    final String submitter;
    final int number;
    final Deque<J> jobs;
    int passed;

    Turn(String submitter, int number, Deque<J> jobs) {
      this.submitter = submitter;
      this.number = number;
      this.jobs = jobs;
    }
  }

  /** A job has tasks from now on. */
  public void add(J job, int priority, String submitter) {
    places.put(job, new Place(priority, submitter));
    waiting
        .computeIfAbsent(priority, key -> new LinkedHashMap<>())
        .computeIfAbsent(submitter, key -> new ArrayDeque<>())
        .add(job);
  }

  /** A job is over. Returns whether it was there. */
  public boolean remove(J job) {
    Place place = places.remove(job);
    if (place == null) {
      return false;
    }
    Map<String, Deque<J>> same = waiting.get(place.priority());
    Deque<J> jobs = same.get(place.submitter());
    jobs.remove(job);
    if (jobs.isEmpty()) {
      same.remove(place.submitter());
    }
    if (same.isEmpty()) {
      waiting.remove(place.priority());
    }
    return true;
  }

  /** A submitter has more slots, or fewer. */
  public void use(String submitter, int more) {
    slots.merge(submitter, more, Integer::sum);
    slots.remove(submitter, 0);
  }

  /**
   * How many slots each submitter has, of those who have any.
   *
   * @param most of so many submitters, those who have the most
   */
  public SortedMap<String, Integer> slots(int most) {
    SortedMap<String, Integer> largest = new TreeMap<>();
    slots.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .limit(most)
        .forEach(entry -> largest.put(entry.getKey(), entry.getValue()));
    return largest;
  }

  /**
   * One traversal: fills empty slots.
   *
   * @param empty how many
   * @param take takes what a job may put into slots now: one task, or a whole gang, which may be
   *     more than there is room for; nothing if it may not. What it returns has slots at once
   * @return everything taken, in order
   */
  public <R> List<R> traverse(int empty, Function<J, List<R>> take) {
    List<R> all = new ArrayList<>();
    for (Map<String, Deque<J>> same : waiting.values()) {
      PriorityQueue<Turn<J>> turns =
          new PriorityQueue<>(
              Comparator.<Turn<J>>comparingInt(turn -> slots.getOrDefault(turn.submitter, 0))
                  .thenComparingInt(turn -> turn.number));
      same.forEach((submitter, jobs) -> turns.add(new Turn<>(submitter, turns.size(), jobs)));
      while (all.size() < empty && !turns.isEmpty()) {
        Turn<J> turn = turns.poll();
        J job = turn.jobs.poll();
        turn.jobs.add(job);
        List<R> taken = take.apply(job);
        if (taken.isEmpty()) {
          turn.passed++;
        } else {
          turn.passed = 0;
          use(turn.submitter, taken.size());
          all.addAll(taken);
        }
        if (turn.passed < turn.jobs.size()) {
          turns.add(turn);
        }
      }
    }
    return all;
  }
}
