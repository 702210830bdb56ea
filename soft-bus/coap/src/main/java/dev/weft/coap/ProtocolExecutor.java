package dev.weft.coap;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The one thread on which Californium handles messages and timers. It knows how many tasks wait, so
 * that receiving can be slowed down before memory fills. Its thread ends by itself a second after
 * the last task and comes back with the next, so it needs no shutdown and also serves calls after
 * the close.
 */
final class ProtocolExecutor extends ScheduledThreadPoolExecutor {
  private final AtomicInteger waiting = new AtomicInteger();

  ProtocolExecutor(String threadName) {
    super(
        1,
        task -> {
          Thread thread = new ProtocolThread(task, threadName);
          thread.setDaemon(true);
          return thread;
        });
    setRemoveOnCancelPolicy(true);
    setKeepAliveTime(1, TimeUnit.SECONDS);
    allowCoreThreadTimeOut(true);
  }

  @Override
  public void execute(Runnable task) {
    waiting.incrementAndGet();
    super.execute(
        () -> {
          waiting.decrementAndGet();
          task.run();
        });
  }

  /** Tasks that wait to be run at once; timers do not count. */
  int waiting() {
    return waiting.get();
  }

  /** Runs a task here and now if this is such an executor's thread, else soon on its own. */
  void executeHere(Runnable task) {
    if (Thread.currentThread() instanceof ProtocolThread) {
      task.run();
    } else {
      execute(task);
    }
  }

  private static final class ProtocolThread extends Thread {
    ProtocolThread(Runnable task, String name) {
      super(task, name);
    }
  }
}
