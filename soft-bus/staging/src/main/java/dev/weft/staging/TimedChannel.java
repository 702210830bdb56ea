package dev.weft.staging;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A TCP connection on which every operation has a deadline for the whole of it, so that a peer
 * cannot hold a thread by sending a byte now and then. Used by one thread at a time; {@link #close}
 * may be called by any.
 */
final class TimedChannel implements Closeable {
  private final SocketChannel channel;
  private final Selector selector;
  private final SelectionKey key;
  private final Duration timeout;

  /**
   * Takes over a channel.
   *
   * @param timeout for each operation
   */
  TimedChannel(SocketChannel channel, Duration timeout) throws IOException {
    this.channel = channel;
    this.timeout = timeout;
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      this.selector = channel.provider().openSelector();
      this.key = channel.register(selector, 0);
    } catch (IOException e) {
      channel.close(); // nobody else has it now
      throw e;
    }
  }

  /** Connects. */
  static TimedChannel connect(InetSocketAddress address, Duration timeout) throws IOException {
    SocketChannel channel = SocketChannel.open();
    TimedChannel timed = null;
    try {
      timed = new TimedChannel(channel, timeout);
      if (!channel.connect(address)) {
        long deadline = timed.deadline(timeout);
        do {
          timed.await(SelectionKey.OP_CONNECT, deadline, "connection");
        } while (!channel.finishConnect());
      }
      return timed;
    } catch (IOException | RuntimeException e) {
      if (timed == null) {
        channel.close();
      } else {
        timed.close();
      }
      throw e;
    }
  }

  /**
   * Fills the buffer.
   *
   * @throws EOFException if the peer closed before that
   */
  void readFully(ByteBuffer buffer) throws IOException {
    if (!readFully(buffer, timeout)) {
      throw new EOFException("the peer closed the connection");
    }
  }

  /**
   * Fills the buffer.
   *
   * @return false if the peer closed before the first byte
   */
  boolean readFully(ByteBuffer buffer, Duration limit) throws IOException {
    long deadline = deadline(limit);
    int start = buffer.position();
    while (buffer.hasRemaining()) {
      int read = channel.read(buffer);
      if (read < 0) {
        if (buffer.position() == start) {
          return false;
        }
        throw new EOFException("the peer closed the connection in the middle");
      }
      if (read == 0) {
        await(SelectionKey.OP_READ, deadline, "data");
      }
    }
    return true;
  }

  /** Writes all of the buffer. */
  void writeFully(ByteBuffer buffer) throws IOException {
    long deadline = deadline(timeout);
    while (buffer.hasRemaining()) {
      if (channel.write(buffer) == 0) {
        await(SelectionKey.OP_WRITE, deadline, "the peer to take data");
      }
    }
  }

  /**
   * Sends a piece of a file without copying it through this process.
   *
   * @return how much was sent: less than asked for only if the file ends before
   */
  long sendFully(FileChannel file, long offset, long length) throws IOException {
    long deadline = deadline(timeout);
    long sent = 0;
    while (sent < length) {
      long now = file.transferTo(offset + sent, length - sent, channel);
      sent += now;
      if (now == 0) {
        if (offset + sent >= file.size()) {
          return sent;
        }
        await(SelectionKey.OP_WRITE, deadline, "the peer to take data");
      }
    }
    return sent;
  }

  private long deadline(Duration limit) {
    return System.nanoTime() + limit.toNanos();
  }

  private void await(int operation, long deadline, String what) throws IOException {
    long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
    if (left <= 0) {
      throw new SocketTimeoutException("waited too long for " + what);
    }
    try {
      key.interestOps(operation);
      selector.select(left);
      selector.selectedKeys().clear();
    } catch (ClosedSelectorException | CancelledKeyException e) {
      throw new AsynchronousCloseException();
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("interrupted");
    }
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      selector.close();
    }
  }
}
