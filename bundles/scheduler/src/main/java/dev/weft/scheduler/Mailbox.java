package dev.weft.scheduler;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Predicate;

/**
 * The way into the scheduler's loop from other threads. Keeps the order, and loses nothing while
 * the loop's queue is full. Thread-safe.
 */
final class Mailbox {
  private final Predicate<Runnable> loop;
  private final Deque<Runnable> waiting = new ArrayDeque<>();

  /** Before a loop that takes actions while it has room. */
  Mailbox(Predicate<Runnable> loop) {
    this.loop = loop;
  }

  /** Queues an action if there is room. Returns whether there was. */
  synchronized boolean offer(Runnable action) {
    return waiting.isEmpty() && loop.test(action);
  }

  /**
   * Queues an action that must not be lost; without room it waits for {@link #drain}. Only for
   * answers to what the scheduler itself asked, of which there are no more than slots, and for news
   * of nodes.
   */
  synchronized void post(Runnable action) {
    if (!offer(action)) {
      waiting.add(action);
    }
  }

  /** Hands on what waits, as far as there is room. */
  synchronized void drain() {
    while (!waiting.isEmpty() && loop.test(waiting.peek())) {
      waiting.remove();
    }
  }
}
