package dev.weft.scheduler.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.core.job.BufferStatus;
import dev.weft.scheduler.flow.BufferRules.Withdraw;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** D1 to D3 against their equations. */
class AdaptiveSizeTest {
  private static final Duration WINDOW = Duration.ofSeconds(10);
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static BufferRules rules(int initial, double baseline, double grow, double shrink) {
    return new BufferRules(
        initial,
        1,
        1_000_000,
        1,
        WINDOW,
        baseline,
        grow,
        shrink,
        Duration.ofSeconds(60),
        Withdraw.SILENT);
  }

  private static void traverse(AdaptiveSize size, int times) {
    for (int i = 0; i < times; i++) {
      size.dispatched(size.traverse());
    }
  }

  /** A window that has not run empty and was not always full. */
  private static void endWindow(AdaptiveSize size) {
    size.observe(0, 1, START);
    size.observe(0, 1, START.plus(WINDOW));
  }

  @Property
  void theSizeFollowsTheEquation(
      @ForAll @IntRange(min = 1, max = 5_000) int m,
      @ForAll @IntRange(max = 20_000) int n,
      @ForAll @DoubleRange(min = 0.01, max = 3) double baseline,
      @ForAll @DoubleRange(min = 1.01, max = 4) double a,
      @ForAll @DoubleRange(min = 0.1, max = 0.99) double b) {
    AdaptiveSize size = new AdaptiveSize(rules(m, baseline, a, b), START);
    traverse(size, n);
    endWindow(size);

    // D2, written down once more: B = baseline·m, U = a·B, L = b·B.
    double large = baseline * m;
    int expected = m;
    if (n > a * large) {
      expected = Math.max(m + 1, (int) Math.ceil(m * (a * large) / large));
    } else if (n < b * large) {
      expected = Math.max(1, Math.min(m - 1, (int) Math.floor(m * (b * large) / large)));
    }
    assertEquals(expected, size.slots());
  }

  @Property
  void theThresholdGrowsWithTheSizeAndStaysBelowIt(
      @ForAll @IntRange(min = 1, max = 100_000) int m,
      @ForAll @DoubleRange(min = 0.01, max = 1) double share) {
    BufferRules rules =
        new BufferRules(
            m, 1, 200_000, share, WINDOW, 1, 1.5, 0.5, Duration.ofSeconds(60), Withdraw.ALL);
    int threshold = rules.threshold(m);
    assertTrue(threshold >= 1 && threshold <= m);
    assertTrue(rules.threshold(m + 1) >= threshold);
    AdaptiveSize size = new AdaptiveSize(rules, START);
    assertEquals(m - (threshold - 1), size.room(threshold - 1));
    assertEquals(0, size.room(threshold));
  }

  @Test
  void slotsAboveASmallerSizeVanishAsTheyEmpty() {
    AdaptiveSize size = new AdaptiveSize(rules(100, 1, 1.5, 0.5), START);
    endWindow(size);
    assertEquals(50, size.slots());
    assertEquals(0, size.room(80));
    assertEquals(1, size.room(49));
  }

  @Test
  void aWindowInWhichTheTaskPoolRanEmptyChangesNothing() {
    AdaptiveSize size = new AdaptiveSize(rules(100, 1, 1.5, 0.5), START);
    size.observe(5, 0, START);
    size.observe(5, 9, START.plus(WINDOW));
    assertEquals(100, size.slots());
    size.observe(5, 9, START.plus(WINDOW.multipliedBy(2)));
    assertEquals(50, size.slots(), "the next window counts for itself");
  }

  @Test
  void longTasksMustNotStarveIdleNodes() {
    AdaptiveSize size = new AdaptiveSize(rules(100, 1, 1.5, 0.5), START);
    size.observe(100, 7, START);
    size.observe(100, 7, START.plus(WINDOW));
    assertEquals(150, size.slots());
  }

  @Test
  void aFullPoolDoesNotGrowIfNodesAreFullToo() {
    AdaptiveSize size = new AdaptiveSize(rules(100, 1, 1.5, 0.5), START);
    size.placementFailed();
    size.observe(100, 7, START);
    size.observe(100, 7, START.plus(WINDOW));
    assertEquals(50, size.slots());
  }

  @Test
  void aTraversalCountsOnceAndOnlyIfItLedToADispatch() {
    AdaptiveSize size = new AdaptiveSize(rules(100, 1, 1.5, 0.5), START);
    size.traverse();
    AdaptiveSize.Traversal second = size.traverse();
    size.dispatched(second);
    size.dispatched(second);
    assertEquals(1, size.status(0, new TreeMap<>()).traversals());
  }

  @Test
  void theSizeStaysWithinItsBounds() {
    BufferRules rules =
        new BufferRules(10, 8, 12, 1, WINDOW, 1, 1.5, 0.5, Duration.ofSeconds(60), Withdraw.SILENT);
    AdaptiveSize size = new AdaptiveSize(rules, START);
    traverse(size, 100);
    endWindow(size);
    assertEquals(12, size.slots());
    size.observe(0, 1, START.plus(WINDOW.multipliedBy(2)));
    assertEquals(8, size.slots());
    BufferStatus status = size.status(3, new TreeMap<>());
    assertEquals(2, status.changes().size());
    assertEquals("N = 100 > U = 15.0: short tasks", status.changes().get(0).reason());
    assertEquals(3, status.queued());
  }

  @Test
  void newSettingsHoldAtOnce() {
    AdaptiveSize size = new AdaptiveSize(rules(100, 1, 1.5, 0.5), START);
    size.configure(rules(100, 2, 1.5, 0.5), START);
    assertEquals(100, size.slots());
    size.configure(rules(40, 2, 1.5, 0.5), START);
    assertEquals(40, size.slots());
    assertEquals("configured", size.status(0, new TreeMap<>()).changes().get(0).reason());
    BufferRules narrow =
        new BufferRules(40, 8, 40, 1, WINDOW, 2, 1.5, 0.5, Duration.ofSeconds(60), Withdraw.ALL);
    traverse(size, 100);
    endWindow(size);
    size.configure(narrow, START);
    assertEquals(40, size.slots(), "above the new bound");
  }

  @Test
  void onlyTheLastChangesAreKept() {
    AdaptiveSize size = new AdaptiveSize(rules(100, 1, 1.5, 0.5), START);
    Instant now = START;
    for (int i = 0; i < 200; i++) {
      traverse(size, i % 2 == 0 ? 1_000_000 / 100 : 0);
      now = now.plus(WINDOW);
      size.observe(0, 1, now);
    }
    assertEquals(BufferStatus.MAXIMUM_CHANGES, size.status(0, new TreeMap<>()).changes().size());
  }

  @Test
  void aPoolThatDoesNotMoveIsStalledOnce() {
    AdaptiveSize size = new AdaptiveSize(rules(1, 1, 1.5, 0.5), START);
    size.placementFailed();
    size.observe(1, 1, START);
    assertFalse(size.isStalled(START.plusSeconds(59)));
    assertTrue(size.isStalled(START.plusSeconds(60)));
    size.reset(0, START.plusSeconds(60));
    assertEquals(List.of(), size.status(1, new TreeMap<>()).changes());
    assertFalse(size.isStalled(START.plusSeconds(61)));
    assertTrue(size.isStalled(START.plusSeconds(120)));
    size.reset(3, START.plusSeconds(120));
    BufferStatus.Change reset = size.status(1, new TreeMap<>()).changes().get(0);
    assertEquals("nothing has changed for 60000 ms: reset, 3 withdrawn", reset.reason());
    assertEquals(reset.from(), reset.to());
  }

  @Test
  void anEmptyPoolIsNotStalled() {
    AdaptiveSize size = new AdaptiveSize(rules(1, 1, 1.5, 0.5), START);
    size.observe(0, 1, START);
    assertFalse(size.isStalled(START.plusSeconds(600)));
  }

  @Test
  void aPoolThatMovesIsNotStalled() {
    AdaptiveSize size = new AdaptiveSize(rules(10, 1, 1.5, 0.5), START);
    size.observe(5, 1, START);
    size.observe(4, 1, START.plusSeconds(50));
    assertFalse(size.isStalled(START.plusSeconds(70)));
  }

  @Test
  void settingsThatCannotBeAreNamed() {
    IllegalArgumentException wrong =
        assertThrows(IllegalArgumentException.class, () -> rules(10, 1, 0.9, 0.5));
    assertEquals("buffer.grow = 0.9: must be above 1, at most 100", wrong.getMessage());
  }
}
