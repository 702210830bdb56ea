package dev.weft.resources;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.AttemptId;
import dev.weft.api.Demand;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.TaskId;
import dev.weft.api.bus.Role;
import dev.weft.api.policy.NodeOrder;
import dev.weft.api.policy.PlacementPolicy;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.api.policy.PoolView;
import dev.weft.core.bus.Bus;
import dev.weft.core.bus.BusStatus;
import dev.weft.core.bus.LocalNode;
import dev.weft.core.bus.Peer;
import dev.weft.core.message.Message;
import dev.weft.core.resources.Placement;
import dev.weft.testkit.policy.Pool;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A policy is foreign code: whatever it does, the next question is answered. */
class ResourceLoopTest {
  private static final AttemptId ATTEMPT =
      new AttemptId(new TaskId(new JobId("5e".repeat(16)), 0), 1);

  private final ResourceLoop loop =
      new ResourceLoop(
          new LocalNode(Pool.id(1), 1, "here", Set.of(Role.MANAGER), List.of()),
          "test",
          new NoBus(),
          ResourceSettings.DEFAULT,
          Duration.ofSeconds(10),
          Clock.systemUTC());

  /** Nobody is there. */
  private static final class NoBus implements Bus {
    @Override
    public CompletionStage<Message> request(NodeId to, Message request, Duration deadline) {
      return CompletableFuture.completedStage(new Message.Failed(Manager.GONE));
    }

    @Override
    public List<Peer> peers() {
      return List.of();
    }

    @Override
    public Optional<Peer> peer(NodeId id) {
      return Optional.empty();
    }

    @Override
    public BusStatus status() {
      throw new UnsupportedOperationException("nobody asks in this test");
    }
  }

  private void use(PlacementPolicy policy) {
    loop.policyChanged(Optional.of(new PolicyHolder.Active(policy, "test 1")));
    await().until(() -> loop.policy().equals("test 1"));
  }

  @AfterEach
  void stop() {
    loop.stop();
  }

  private String ask() throws Exception {
    Request request =
        new Request(ATTEMPT, new Demand(Resources.NONE, new TreeMap<>(Map.of("a", "b"))));
    Placement placement =
        loop.place(List.of(request)).toCompletableFuture().get(10, TimeUnit.SECONDS).get(0);
    return assertInstanceOf(Placement.NotPlaced.class, placement).decision().reason();
  }

  @Test
  void badAnswersOfAPolicyStopNothing() throws Exception {
    loop.start();
    use((requests, pool, seed) -> new ArrayList<>(Collections.singletonList(null)));
    await().until(() -> ask().startsWith("test 1 failed: java.lang.NullPointerException"));
    use((requests, pool, seed) -> null);
    await().until(() -> ask().contains("NullPointerException"));
    use(
        (requests, pool, seed) -> {
          throw new IllegalStateException("as the test wants it");
        });
    await().until(() -> ask().contains("as the test wants it"));
    use((requests, pool, seed) -> List.of());
    await().until(() -> ask().equals("the policy did not decide"));
  }

  @Test
  void aPolicyThatIsOnlyAnOrderIsNotAskedAgain() throws Exception {
    loop.start();
    loop.policyChanged(
        Optional.of(
            new PolicyHolder.Active(
                new PlacementPolicy() {
                  @Override
                  public Optional<NodeOrder> order() {
                    return Optional.of(NodeOrder.NONE);
                  }

                  @Override
                  public List<Decision> place(List<Request> requests, PoolView pool, long seed) {
                    throw new AssertionError("asked although it is only an order");
                  }
                },
                "order 1")));
    await().until(() -> ask().equals("no node takes tasks"));
  }

  @Test
  void whoAsksForTheNodesGetsThemFromTheLoop() {
    loop.start();
    loop.peerUp(new FakeNode(3, Resources.NONE).peer());
    assertEquals(1, loop.nodes().size());
    assertTrue(loop.eligible(Pool.id(3), false));
    assertFalse(loop.eligible(Pool.id(4), false));
  }
}
