package dev.weft.scheduler.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class FairQueueTest {
  private final FairQueue<String> queue = new FairQueue<>();
  private final Map<String, Integer> tasks = new HashMap<>();

  private void add(String job, int count, int priority, String submitter) {
    tasks.put(job, count);
    queue.add(job, priority, submitter);
  }

  private List<String> one(String job) {
    int left = tasks.get(job);
    tasks.put(job, Math.max(0, left - 1));
    return left == 0 ? List.of() : List.of(job);
  }

  @Test
  void higherPrioritiesGoFirst() {
    add("low", 5, 10, "ann");
    add("high", 2, 90, "bob");
    assertEquals(List.of("high", "high", "low"), queue.traverse(3, this::one));
  }

  @Test
  void whoHasFewerSlotsGoesFirst() {
    add("big", 100, 50, "ann");
    queue.use("ann", 3);
    add("small", 100, 50, "bob");
    assertEquals(List.of("small", "small", "small", "big", "small"), queue.traverse(5, this::one));
    assertEquals(Map.of("ann", 4, "bob", 4), queue.slots(8));
  }

  @Test
  void jobsOfASubmitterTakeTurns() {
    add("a", 5, 50, "ann");
    add("b", 5, 50, "ann");
    assertEquals(List.of("a", "b", "a"), queue.traverse(3, this::one));
    assertEquals(List.of("b"), queue.traverse(1, this::one));
  }

  @Test
  void aJobThatMayNotDoesNotHoldTheOthers() {
    add("blocked", 0, 90, "ann");
    add("also", 0, 50, "ann");
    add("free", 2, 50, "ann");
    assertEquals(List.of("free", "free"), queue.traverse(5, this::one));
  }

  @Test
  void aGangIsTakenWholeAndMayExceedTheRoom() {
    queue.add("gang", 50, "ann");
    add("other", 1, 50, "bob");
    List<String> taken =
        queue.traverse(1, job -> job.equals("gang") ? List.of("g1", "g2", "g3") : one(job));
    assertEquals(List.of("g1", "g2", "g3"), taken);
    assertEquals(3, queue.slots(8).get("ann"));
  }

  @Test
  void whatIsRemovedIsNotAsked() {
    add("a", 5, 50, "ann");
    assertTrue(queue.remove("a"));
    assertFalse(queue.remove("a"));
    assertEquals(List.of(), queue.traverse(5, this::one));
    queue.use("ann", 1);
    queue.use("ann", -1);
    assertTrue(queue.slots(8).isEmpty());
  }

  @Property
  void noSubmitterGetsASecondSlotWhileAnotherWithAsMuchToDoHasNone(
      @ForAll @Size(min = 1, max = 8) List<@IntRange(min = 1, max = 20) Integer> wanted,
      @ForAll @IntRange(min = 1, max = 60) int empty) {
    FairQueue<Integer> fair = new FairQueue<>();
    int[] left = wanted.stream().mapToInt(Integer::intValue).toArray();
    IntStream.range(0, left.length).forEach(i -> fair.add(i, 50, "user " + i));
    List<Integer> taken =
        fair.traverse(empty, job -> left[job]-- > 0 ? List.of(job) : List.<Integer>of());
    int all = wanted.stream().mapToInt(Integer::intValue).sum();
    assertEquals(Math.min(empty, all), taken.size());
    int[] got = new int[left.length];
    taken.forEach(job -> got[job]++);
    for (int i = 0; i < got.length; i++) {
      for (int j = 0; j < got.length; j++) {
        assertTrue(
            got[i] <= got[j] + 1 || got[j] == wanted.get(j),
            "user " + i + " has " + got[i] + ", user " + j + " has " + got[j]);
      }
    }
  }
}
