package dev.weft.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.core.message.Message;
import dev.weft.core.resources.NodeStatus;
import dev.weft.core.resources.Placement;
import dev.weft.resources.ResourceSettings.Reconcile;
import dev.weft.testkit.policy.Pool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Section B against nodes that do what it says, with dispatches and reports that are lost, late and
 * out of order. The truth is what the nodes hold and what may still reach them.
 */
class RandomReportsTest {
  @Property(tries = 1_000, edgeCases = EdgeCasesMode.NONE)
  void noNodeIsGivenMoreThanItHasAndAtTheEndThePoolIsTheTruth(
      @ForAll Reconcile mode,
      @ForAll @Size(min = 100, max = 1_500) List<@IntRange(max = 999_999) Integer> choices) {
    new Run(new Choices(choices), mode).run();
  }

  /** What happens, as numbers, so that a failing run can be made shorter. */
  private static final class Choices {
    private final List<Integer> numbers;
    private int next;

    Choices(List<Integer> numbers) {
      this.numbers = numbers;
    }

    boolean isOver() {
      return next >= numbers.size();
    }

    int below(int bound) {
      return isOver() ? 0 : numbers.get(next++) % bound;
    }

    boolean yes() {
      return below(2) == 1;
    }
  }

  private static final class Run {
    private final String where;
    private final Choices random;
    private final Manager manager;
    private final List<FakeNode> nodes = new ArrayList<>();
    private final List<Placement.Placed> dispatches = new ArrayList<>();
    private final List<Placement.Placed> placed = new ArrayList<>();
    private final List<Late> reports = new ArrayList<>();
    private int next;

    private record Late(FakeNode node, Message.Report report) {}

    Run(Choices choices, Reconcile mode) {
      where = "mode " + mode;
      random = choices;
      manager =
          Manager.byOrder(
              new ResourceSettings(
                  mode, Duration.ofSeconds(3), Duration.ofSeconds(5), Duration.ofSeconds(1)));
    }

    void run() {
      for (int number = 0; number < 3; number++) {
        nodes.add(manager.join(number, Pool.offer(4, 4096, 2)));
      }
      for (int step = 0; !random.isOver(); step++) {
        step();
        check(step);
      }
      heal();
    }

    private void step() {
      FakeNode node = nodes.get(random.below(nodes.size()));
      switch (random.below(12)) {
        case 0, 1, 2 -> place();
        case 3, 4 -> deliver();
        case 5 -> node.held.keySet().stream().findFirst().ifPresent(node::end);
        case 6 -> reports.add(new Late(node, node.report()));
        case 7 -> lateReport();
        case 8 -> freshReport(node);
        case 9 -> cancel(random.yes());
        case 10 -> withdraw();
        default -> rare(node);
      }
      manager.pass(Duration.ofMillis(random.below(400)));
    }

    private void rare(FakeNode node) {
      switch (random.below(6)) {
        case 0 -> {
          node.restart();
          manager.up(node);
          manager.report(node);
        }
        case 1 -> {
          manager.down(node);
          manager.up(node);
        }
        case 2 -> node.offered = Pool.offer(1 + random.below(4), 4096, random.below(3));
        case 3 -> manager.report(node, node.report(true));
        default -> {
          List<AttemptId> said = List.copyOf(node.over);
          manager.handle(new ResourceEvent.Over(Pool.id(node.number), node.boot, said));
        }
      }
    }

    private void place() {
      double[] shares = {0, 0, 0.5, 1};
      Resources demand =
          Pool.resources(1 + random.below(2), 256L * random.below(4), shares[random.below(4)]);
      if (manager.place(next++, demand) instanceof Placement.Placed placed) {
        dispatches.add(placed);
        this.placed.add(placed);
      }
    }

    /** Any dispatch arrives, now and then twice, or never. */
    private void deliver() {
      if (dispatches.isEmpty()) {
        return;
      }
      int at = random.below(dispatches.size());
      Placement.Placed placed = random.below(5) == 0 ? dispatches.get(at) : dispatches.remove(at);
      if (random.below(5) != 0) {
        FakeNode node = node(placed.node());
        if (!node.held.containsKey(placed.attempt()) && !node.over.contains(placed.attempt())) {
          node.dispatch(placed);
        }
      }
    }

    /**
     * What can still be given must be free on the node when all that was given and has not arrived
     * has arrived; also on a node that still runs what the manager has forgotten (B7).
     */
    private void freshReport(FakeNode node) {
      manager.report(node);
      NodeStatus status = manager.status(node);
      if (status.state() != NodeStatus.State.READY || status.version() != node.version) {
        return;
      }
      Resources left = node.free();
      for (Placement.Placed one : placed) {
        if (one.node().equals(Pool.id(node.number))
            && manager.core.holds(one.attempt())
            && !node.held.containsKey(one.attempt())) {
          left = left.minusAtMost(one.taken());
        }
      }
      assertTrue(left.covers(status.free()), where + ": " + status.free() + " of " + left);
    }

    private void lateReport() {
      if (!reports.isEmpty()) {
        Late late = reports.remove(random.below(reports.size()));
        manager.report(late.node(), late.report()); // its answer is lost
      }
    }

    private void withdraw() {
      if (next > 0) {
        AttemptId any = Manager.attempt(random.below(next));
        manager.handle(new ResourceEvent.Withdrawn(List.of(any)));
      }
    }

    private void cancel(boolean arrives) {
      for (ResourceEffect.Cancel cancel : manager.takeCancels()) {
        if (arrives) {
          List<AttemptId> over = node(cancel.node()).cancel(cancel.attempts());
          manager.handle(new ResourceEvent.Cancelled(cancel.node(), over));
        }
      }
    }

    private FakeNode node(NodeId id) {
      return nodes.stream().filter(one -> Pool.id(one.number).equals(id)).findFirst().orElseThrow();
    }

    private void check(int step) {
      for (FakeNode node : nodes) {
        NodeStatus status = manager.status(node);
        Resources known = status.given();
        if (status.state() == NodeStatus.State.READY) {
          assertTrue(status.offered().covers(known), where + " step " + step + ": gave " + known);
        }
        Resources sum = status.free().plus(known);
        assertEquals(
            Resources.NONE,
            status.state() == NodeStatus.State.READY
                ? sum.minusAtMost(status.offered())
                : Resources.NONE,
            where + " step " + step + ": free and given are more than there is");
      }
    }

    /** Everything ends, nothing is lost any more: the pool must become what the nodes have. */
    private void heal() {
      dispatches.clear();
      reports.clear();
      for (int round = 0; round < 12; round++) {
        for (FakeNode node : nodes) {
          List.copyOf(node.held.keySet()).forEach(node::end);
          boolean told = manager.report(node).correction() == Message.Correction.DIFFERS;
          if (told) {
            node.answered(manager.report(node, node.report(true)));
          }
        }
        cancel(true);
        manager.pass(Duration.ofSeconds(2));
      }
      for (FakeNode node : nodes) {
        NodeStatus status = manager.status(node);
        assertEquals(node.offered, status.free(), where);
        assertEquals(node.version, status.version(), where);
        assertTrue(node.over.isEmpty(), where);
      }
      assertEquals(0, manager.core.placements(), where);
      assertEquals(0, manager.core.unwanted(), where);
    }
  }
}
