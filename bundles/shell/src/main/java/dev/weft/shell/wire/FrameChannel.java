package dev.weft.shell.wire;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads and writes frames. One thread may read while others write. A thread that is interrupted
 * while it reads or writes closes the channel (see {@link java.nio.channels.InterruptibleChannel}).
 */
public final class FrameChannel implements AutoCloseable {
  private static final int HEADER = 5;

  private final ByteChannel channel;
  private final Object writing = new Object();

  /** Frames over a channel in blocking mode. */
  public FrameChannel(ByteChannel channel) {
    this.channel = Objects.requireNonNull(channel, "channel");
  }

  /**
   * Waits for the next frame.
   *
   * @return empty if the other end has closed the channel between two frames
   * @throws FrameException if what came is not a frame
   */
  public Optional<Frame> read() throws IOException {
    ByteBuffer header = ByteBuffer.allocate(HEADER);
    if (!fill(header)) {
      return Optional.empty();
    }
    header.flip();
    int code = Byte.toUnsignedInt(header.get());
    int length = header.getInt();
    Optional<Frame.Kind> kind = Frame.Kind.of(code);
    if (kind.isEmpty()) {
      throw new FrameException("unknown kind of frame: " + code);
    }
    if (length < 0 || length > Frame.MAXIMUM_PAYLOAD) {
      throw new FrameException(
          "frame of "
              + Integer.toUnsignedString(length)
              + " bytes; at most "
              + Frame.MAXIMUM_PAYLOAD
              + " are allowed");
    }
    ByteBuffer payload = ByteBuffer.allocate(length);
    if (length > 0 && !fill(payload)) {
      throw new EOFException("the other end has gone in the middle of a frame");
    }
    return Optional.of(new Frame(kind.get(), payload.array()));
  }

  private boolean fill(ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        if (buffer.position() > 0) {
          throw new EOFException("the other end has gone in the middle of a frame");
        }
        return false;
      }
    }
    return true;
  }

  /** Writes a frame; blocks while the other end does not read. */
  public void write(Frame frame) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(HEADER + frame.payload().length);
    buffer.put((byte) frame.kind().code()).putInt(frame.payload().length).put(frame.payload());
    buffer.flip();
    synchronized (writing) {
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
