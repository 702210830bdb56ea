package dev.weft.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.AttemptId;
import dev.weft.api.Demand;
import dev.weft.api.JobId;
import dev.weft.api.Resources;
import dev.weft.api.TaskId;
import dev.weft.api.policy.PlacementPolicy;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.core.resources.Placement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A policy is foreign code: whatever it does, the next question is answered. */
class ResourceLoopTest {
  private static final AttemptId ATTEMPT =
      new AttemptId(new TaskId(new JobId("5e".repeat(16)), 0), 1);

  private volatile PlacementPolicy policy = (requests, pool, seed) -> List.of();
  private final ResourceLoop loop =
      new ResourceLoop(
          () -> Optional.of(new PolicyHolder.Active(policy, "test 1")),
          Duration.ofSeconds(10),
          Clock.systemUTC());

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
    policy = (requests, pool, seed) -> new ArrayList<>(Collections.singletonList(null));
    assertTrue(ask().startsWith("test 1 failed: java.lang.NullPointerException"));
    policy = (requests, pool, seed) -> null;
    assertTrue(ask().contains("NullPointerException"));
    policy =
        (requests, pool, seed) -> {
          throw new IllegalStateException("as the test wants it");
        };
    assertTrue(ask().contains("as the test wants it"));
    policy = (requests, pool, seed) -> List.of();
    assertEquals("the policy did not decide", ask());
  }
}
