package dev.weft.shell.server;

import dev.weft.shell.wire.Frame;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Frames on their way to a client, at most {@link #CAPACITY}. Those who put wait for room without
 * being interruptible: a command whose user interrupts it still has something to say.
 */
final class Outgoing {
  private static final int CAPACITY = 16;

  private final Deque<Frame> frames = new ArrayDeque<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean finished;
  private boolean closed;

  /** Waits for room and puts a frame. */
  void put(Frame frame) throws IOException {
    lock.lock();
    try {
      while (frames.size() >= CAPACITY && !closed) {
        changed.awaitUninterruptibly();
      }
      if (closed || finished) {
        throw new IOException("the client has gone");
      }
      frames.add(frame);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a frame; empty if nothing follows any more. */
  Optional<Frame> take() {
    lock.lock();
    try {
      while (frames.isEmpty() && !finished && !closed) {
        changed.awaitUninterruptibly();
      }
      Frame frame = closed ? null : frames.poll();
      changed.signalAll();
      return Optional.ofNullable(frame);
    } finally {
      lock.unlock();
    }
  }

  /** Nothing is put any more; what is there is still taken. */
  void finish() {
    lock.lock();
    try {
      finished = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Nothing is put or taken any more. */
  void close() {
    lock.lock();
    try {
      closed = true;
      frames.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
