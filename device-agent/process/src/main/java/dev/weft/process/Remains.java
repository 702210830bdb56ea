package dev.weft.process;

import dev.weft.api.NodeId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Ends what a former life of a node's agent left running, step by step on one thread. */
final class Remains {
  /** Longest time that this takes. */
  static final Duration BOUND = Duration.ofSeconds(8);

  private static final Duration GRACE = Duration.ofSeconds(2);
  private static final long STEP_MILLIS = 50;

  private final NodeId node;
  private final Path processes;
  private final Signals signals;
  private final ScheduledExecutorService thread;
  private final Set<Long> asked = new HashSet<>();
  private final CompletableFuture<Integer> done = new CompletableFuture<>();
  private final long begin = System.nanoTime();

  Remains(NodeId node, Path processes, Signals signals, ScheduledExecutorService thread) {
    this.node = node;
    this.processes = processes;
    this.signals = signals;
    this.thread = thread;
  }

  /** Begins; completes with the number of processes ended, or with an error. */
  CompletableFuture<Integer> end() {
    thread.execute(this::step);
    return done;
  }

  private void step() {
    Set<Long> living;
    try {
      living = ProcessTable.read(processes, 0).ofNode(node.hex());
    } catch (IOException e) {
      done.completeExceptionally(e);
      return;
    }
    long age = System.nanoTime() - begin;
    if (living.isEmpty()) {
      done.complete(asked.size());
      return;
    }
    if (age > BOUND.toNanos()) {
      done.completeExceptionally(
          new IllegalStateException("these processes cannot be ended: " + living));
      return;
    }
    for (long pid : living) {
      if (asked.add(pid)) {
        signals.send(pid, Signals.TERMINATE);
      }
      if (age >= GRACE.toNanos()) {
        signals.send(pid, Signals.KILL);
      }
    }
    var unused = thread.schedule(this::step, STEP_MILLIS, TimeUnit.MILLISECONDS);
  }
}
