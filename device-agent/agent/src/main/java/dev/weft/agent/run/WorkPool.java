package dev.weft.agent.run;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bounded number of threads that end when they have nothing to do. Work that throws is told so;
 * after the pool is closed, work is dropped.
 */
final class WorkPool extends ThreadPoolExecutor {
  private static final Logger LOG = LoggerFactory.getLogger(WorkPool.class);
  private static final int IDLE_SECONDS = 10;

  /** A piece of work. */
  interface Work extends Runnable {
    /** It threw something that it does not know of. */
    void failed(Throwable reason);
  }

  /**
   * Makes a pool.
   *
   * @param capacity most pieces of work that wait; the callers see to it that more never come
   */
  WorkPool(String name, int threads, int capacity) {
    super(
        threads,
        threads,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(capacity),
        work -> thread(name, work),
        (work, pool) -> {
          if (!pool.isShutdown()) {
            ((Work) work).failed(new IllegalStateException("too much work waits in " + name));
          }
        });
    allowCoreThreadTimeOut(true);
  }

  private static Thread thread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((which, e) -> LOG.error("{} failed", name, e));
    return thread;
  }

  @Override
  protected void afterExecute(Runnable work, Throwable thrown) {
    if (thrown != null) {
      ((Work) work).failed(thrown);
    }
  }
}
