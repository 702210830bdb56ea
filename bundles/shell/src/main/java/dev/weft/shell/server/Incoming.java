package dev.weft.shell.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Standard input of a client as a stream, at most {@link #CAPACITY} frames ahead of its reader. One
 * thread puts, one reads.
 */
final class Incoming extends InputStream {
  private static final int CAPACITY = 16;

  private final Deque<byte[]> pieces = new ArrayDeque<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private int position;
  private boolean ended;

  /** Waits for room and puts bytes; dropped after the end. */
  void put(byte[] piece) {
    lock.lock();
    try {
      while (pieces.size() >= CAPACITY && !ended) {
        changed.awaitUninterruptibly();
      }
      if (!ended && piece.length > 0) {
        pieces.add(piece);
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Nothing follows. */
  void end() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    lock.lock();
    try {
      while (pieces.isEmpty()) {
        if (ended) {
          return -1;
        }
        changed.await();
      }
      byte[] piece = pieces.peek();
      int count = Math.min(length, piece.length - position);
      System.arraycopy(piece, position, bytes, offset, count);
      position += count;
      if (position == piece.length) {
        pieces.remove();
        position = 0;
        changed.signalAll();
      }
      return count;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for input");
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int available() {
    lock.lock();
    try {
      return pieces.stream().mapToInt(piece -> piece.length).sum() - position;
    } finally {
      lock.unlock();
    }
  }
}
