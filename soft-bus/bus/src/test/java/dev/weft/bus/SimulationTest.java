package dev.weft.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.bus.Role;
import dev.weft.core.message.Message;
import dev.weft.testkit.VirtualClock;
import dev.weft.testkit.network.Faults;
import dev.weft.testkit.network.FaultyNetwork;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Many nodes, every fault, virtual time: what must hold whatever happens. */
class SimulationTest {
  private static final int SEEDS = 200;
  private static final int MANAGERS = 2;
  private static final int NODES = 7;
  private static final Duration STEP = Duration.ofMillis(500);
  private static final Duration DEADLINE = Duration.ofSeconds(8);
  private static final Duration CALM = Duration.ofSeconds(20);

  @Test
  void everythingHoldsUnderEveryFault() {
    long first = Long.getLong("weft.seed", 1);
    long answered = 0;
    long failed = 0;
    for (long seed = first; seed < first + SEEDS; seed++) {
      Run run = new Run(seed);
      run.run();
      answered += run.answered;
      failed += run.failed;
    }
    assertTrue(answered > 3 * failed, answered + " answered, " + failed + " failed");
    assertTrue(failed > SEEDS, "faults that nothing fails of are none: " + failed);
  }

  /** One seed. */
  private static final class Run {
    private final long seed;
    private final Random random;
    private final VirtualClock clock = new VirtualClock();
    private final FaultyNetwork network;
    private final Map<Integer, SimulatedNode> nodes = new TreeMap<>();
    private final Map<Integer, Long> boots = new TreeMap<>();
    private final List<SimulatedNode> past = new ArrayList<>();
    private final List<Asked> asked = new ArrayList<>();
    private long token;
    private long answered;
    private long failed;

    /** A request and how often it was answered. */
    private static final class Asked {
      final SimulatedNode by;
      final long token;
      final Instant deadline;
      int answers;
      CompletableFuture<Void> over = new CompletableFuture<>();

      Asked(SimulatedNode by, long token, Instant deadline) {
        this.by = by;
        this.token = token;
        this.deadline = deadline;
      }
    }

    Run(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
      this.network = new FaultyNetwork(seed, clock);
    }

    void run() {
      network.faults(Faults.HEAVY);
      for (int number = 1; number <= NODES; number++) {
        start(number);
      }
      Instant calm = clock.instant().plus(Duration.ofSeconds(40));
      while (clock.instant().isBefore(calm)) {
        disturb();
        for (int i = 0; i < 4; i++) {
          ask();
        }
        network.run(STEP);
        check();
      }
      network.heal();
      network.faults(Faults.NONE);
      for (int number = 1; number <= NODES; number++) {
        if (nodes.get(number).isAlive()) {
          nodes.get(number).resume();
        } else {
          start(number);
        }
      }
      network.run(CALM);
      check();
      converged();
    }

    private String says(String what) {
      return "seed " + seed + ": " + what;
    }

    private Role role(int number) {
      return number <= MANAGERS ? Role.MANAGER : Role.AGENT;
    }

    private void start(int number) {
      long boot = boots.merge(number, 1L, Long::sum);
      SimulatedNode node =
          new SimulatedNode(network, clock, number, boot, role(number), 1)
              .discover("%08x".formatted(number * 1000L + boot));
      node.handling = Duration.ofMillis(random.nextInt(3) * 400L);
      nodes.put(number, node);
      past.add(node);
    }

    private void disturb() {
      int number = 1 + random.nextInt(NODES);
      SimulatedNode node = nodes.get(number);
      switch (random.nextInt(24)) {
        case 0 -> node.crash();
        case 1, 12, 13 -> {
          if (!node.isAlive()) {
            start(number);
          }
        }
        case 2 -> {
          if (node.isAlive()) {
            node.leave();
          }
        }
        case 3 -> node.pause();
        case 4, 5, 8, 9 -> {
          if (node.isAlive()) {
            node.resume();
          }
        }
        case 6 -> network.partition(node.self.addresses());
        case 7, 10, 11 -> network.heal();
        default -> {}
      }
    }

    private void ask() {
      SimulatedNode by = nodes.get(1 + random.nextInt(NODES));
      SimulatedNode to = nodes.get(1 + random.nextInt(NODES));
      if (!by.isAlive() || by == to || !by.up.containsKey(to.self.id())) {
        return;
      }
      Asked one = new Asked(by, token++, clock.instant().plus(DEADLINE));
      asked.add(one);
      one.over =
          by.bus
              .request(to.self.id(), SimulatedNode.request(one.token), DEADLINE)
              .thenAccept(answer -> answered(one, answer))
              .toCompletableFuture();
    }

    private void answered(Asked one, Message answer) {
      one.answers++;
      if (answer instanceof Message.LogChunk chunk) {
        assertEquals(one.token, chunk.offset(), says("an answer went to another request"));
        assertEquals(one.by.self.id().hex(), chunk.bytes().toText(), says("answered another node"));
        answered++;
      } else {
        failed++;
      }
    }

    private void check() {
      for (SimulatedNode node : past) {
        assertEquals(List.of(), node.wrong, says("something is wrong"));
      }
      Instant settled = clock.instant().minus(STEP);
      for (Asked one : asked) {
        if (one.over.isCompletedExceptionally()) {
          one.over.join();
        }
        boolean mustBeOver = one.deadline.isBefore(settled) && one.by.isAlive();
        assertTrue(one.answers <= 1, says("request " + one.token + " was answered twice"));
        assertTrue(
            one.answers == 1 || !mustBeOver || one.by.isPaused(),
            says("request " + one.token + " was never answered"));
      }
      // Kept for a while, so that a second answer would be seen.
      asked.removeIf(one -> one.deadline.plus(DEADLINE).isBefore(settled) && one.answers == 1);
    }

    private void converged() {
      for (int manager = 1; manager <= MANAGERS; manager++) {
        for (int agent = MANAGERS + 1; agent <= NODES; agent++) {
          sees(nodes.get(manager), nodes.get(agent));
          sees(nodes.get(agent), nodes.get(manager));
        }
      }
      for (SimulatedNode node : nodes.values()) {
        int expected = node.self.roles().contains(Role.MANAGER) ? NODES - MANAGERS : MANAGERS;
        assertEquals(expected, node.bus.peers().size(), says(node.self.hostName() + "'s peers"));
      }
    }

    private void sees(SimulatedNode one, SimulatedNode other) {
      var peer = one.bus.peer(other.self.id());
      assertTrue(
          peer.isPresent() && peer.get().boot() == other.self.boot(),
          says(one.self.hostName() + " does not see " + other.self + " but " + peer));
    }
  }
}
