package dev.weft.scheduler.simulation;

import dev.weft.api.Fault;
import dev.weft.core.message.Message;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Carries requests and answers. A request is handled at most once, as the bus has it, but it may be
 * lost, or late, or its answer may be; requests overtake each other. Statuses arrive doubled at
 * times, which the bus would prevent.
 */
public final class SimulatedNetwork {
  private final VirtualTime time;
  private final Random random;
  private double loss;
  private double doubled;
  private double late;

  /** A network without faults. */
  public SimulatedNetwork(VirtualTime time, Random random) {
    this.time = time;
    this.random = random;
  }

  /** Shares of messages that are lost, doubled, and late by seconds. */
  public void faults(double lost, double twice, double slow) {
    loss = lost;
    doubled = twice;
    late = slow;
  }

  private long delay() {
    return random.nextDouble() < late ? random.nextInt(8_000) : 1 + random.nextInt(20);
  }

  private boolean lost() {
    return random.nextDouble() < loss;
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @param reachable whether the receiver takes messages at that moment
   * @param handler the receiver
   * @param answer gets the answer, or {@code peer.silent} after the deadline
   */
  public void request(
      long deadlineMillis,
      BooleanSupplier reachable,
      Supplier<Message> handler,
      Consumer<Message> answer) {
    AtomicBoolean over = new AtomicBoolean();
    time.after(deadlineMillis, () -> finish(over, answer, silent()));
    if (lost()) {
      return;
    }
    time.after(
        delay(),
        () -> {
          if (reachable.getAsBoolean()) {
            Message said = handler.get();
            if (!lost()) {
              time.after(delay(), () -> finish(over, answer, said));
            }
          }
        });
  }

  private static void finish(AtomicBoolean over, Consumer<Message> answer, Message message) {
    if (over.compareAndSet(false, true)) {
      answer.accept(message);
    }
  }

  private static Message silent() {
    return new Message.Failed(
        new Fault("peer.silent", Fault.Category.EXTERNAL, "no answer in time", true));
  }

  /** Sends a status: it arrives never, once or twice. */
  public void send(Runnable arrival) {
    if (!lost()) {
      time.after(delay(), arrival);
    }
    if (random.nextDouble() < doubled) {
      time.after(delay(), arrival);
    }
  }
}
