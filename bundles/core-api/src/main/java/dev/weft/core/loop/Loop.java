package dev.weft.core.loop;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a core its one thread, its clock and its bounded queue. Events are handled one at a time in
 * the order offered; between them, at least once a tick, the core is told the time.
 *
 * @param <E> events of the core
 */
public final class Loop<E> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
  private static final long CLOSE_SECONDS = 5;

  private final BlockingQueue<E> queue;
  private final long tickNanos;
  private final Clock clock;
  private final Handler<E> handler;
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Makes a loop; {@link #start} starts it.
   *
   * @param name of its thread
   * @param capacity most events that wait
   * @param tick longest time between two calls of the handler
   * @param clock where the time comes from
   * @param handler called on the loop's thread only
   */
  public Loop(String name, int capacity, Duration tick, Clock clock, Handler<E> handler) {
    this.queue = new ArrayBlockingQueue<>(capacity);
    this.tickNanos = tick.toNanos();
    this.clock = Objects.requireNonNull(clock, "clock");
    this.handler = Objects.requireNonNull(handler, "handler");
    this.thread = new Thread(this::run, name);
    this.thread.setDaemon(true);
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  /**
   * Queues an event. Never blocks.
   *
   * @return whether there was room and the loop is open
   */
  public boolean offer(E event) {
    return !closed && queue.offer(event);
  }

  private void run() {
    long nextTick = System.nanoTime();
    while (!closed) {
      try {
        E event = queue.poll(Math.max(0, nextTick - System.nanoTime()), TimeUnit.NANOSECONDS);
        if (event != null) {
          handler.handle(event, clock.instant());
        }
        if (queue.isEmpty()) {
          handler.idle(clock.instant());
        }
        if (System.nanoTime() - nextTick >= 0) {
          handler.tick(clock.instant());
          nextTick = System.nanoTime() + tickNanos;
        }
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException | Error e) {
        // Without its loop a part would be dead while the node seems well.
        LOG.error("{} could not handle an event", thread.getName(), e);
      }
    }
  }

  /** Stops after the event under way; waits at most 5 s. Waiting events are dropped. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    if (thread == Thread.currentThread()) {
      return;
    }
    try {
      thread.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Handles the events of a core.
   *
   * @param <E> events of the core
   */
  public interface Handler<E> {
    /** An event. */
    void handle(E event, Instant now);

    /** The time; called at least once a tick. */
    void tick(Instant now);

    /** No event waits: what was gathered can be sent on. */
    default void idle(Instant now) {}
  }
}
