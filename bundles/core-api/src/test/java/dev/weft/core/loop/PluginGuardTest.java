package dev.weft.core.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PluginGuardTest {
  private PluginGuard guard = new PluginGuard(Duration.ofSeconds(5));

  @Test
  void returnsWhatThePluginReturns() throws Exception {
    assertEquals(new PluginGuard.Result.Value<>(42), call(() -> 42));
  }

  @Test
  void anExceptionIsData() throws Exception {
    PluginGuard.Result<Object> result =
        call(
            () -> {
              throw new StackOverflowError("deep");
            });
    assertTrue(failure(result).contains("deep"), failure(result));
  }

  @Test
  void nullIsAFailure() throws Exception {
    assertEquals("plug answered with null", failure(call(() -> null)));
  }

  @Test
  void twoStuckThreadsRefuseThePluginUntilTheyEnd() throws Exception {
    guard = new PluginGuard(Duration.ofMillis(50));
    CountDownLatch free = new CountDownLatch(1);
    Callable<Integer> stubborn =
        () -> {
          while (free.getCount() > 0) {
            Thread.onSpinWait();
          }
          return 1;
        };
    assertTrue(failure(call(stubborn)).contains("within 50 ms"));
    assertTrue(failure(call(stubborn)).contains("within 50 ms"));
    assertTrue(failure(call(() -> 1)).contains("is refused"));
    assertEquals(Map.of("plug", 2), guard.stuck());
    free.countDown();
  }

  private <T> PluginGuard.Result<T> call(Callable<T> callable) throws Exception {
    return guard.call("plug", callable).toCompletableFuture().get(5, TimeUnit.SECONDS);
  }

  private static String failure(PluginGuard.Result<?> result) {
    return assertInstanceOf(PluginGuard.Result.Failure.class, result).reason();
  }
}
