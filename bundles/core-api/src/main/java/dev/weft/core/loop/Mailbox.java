package dev.weft.core.loop;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * The way into a loop for events of which some must not be lost. Keeps the order, and keeps what
 * the loop's full queue has no room for. Thread-safe.
 *
 * @param <E> events of the loop
 */
public final class Mailbox<E> {
  private final Predicate<E> loop;
  private final Deque<E> waiting = new ArrayDeque<>();

  /** Before a loop that takes events while it has room, such as {@link Loop#offer}. */
  public Mailbox(Predicate<E> loop) {
    this.loop = Objects.requireNonNull(loop, "loop");
  }

  /** Queues an event if there is room. Returns whether there was. */
  public synchronized boolean offer(E event) {
    return waiting.isEmpty() && loop.test(event);
  }

  /**
   * Queues an event that must not be lost; without room it waits for {@link #drain}. Only for
   * events whose number is bounded elsewhere, such as answers to what the loop itself asked, and
   * news of nodes.
   */
  public synchronized void post(E event) {
    if (!offer(event)) {
      waiting.add(event);
    }
  }

  /** Hands on what waits, as far as there is room; the loop calls it at each tick. */
  public synchronized void drain() {
    while (!waiting.isEmpty() && loop.test(waiting.peek())) {
      waiting.remove();
    }
  }
}
