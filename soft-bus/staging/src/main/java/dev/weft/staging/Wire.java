package dev.weft.staging;

import dev.weft.api.Fault;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * Frames of the staging protocol on a connection; {@code docs/protocol-staging.md} describes them.
 * Every length is checked before anything is read. Used by one thread at a time.
 */
final class Wire implements Closeable {
  /** Most bytes in a chunk; each must pass within the timeout of the channel. */
  static final int MAXIMUM_CHUNK = 256 << 10;

  private static final byte OK = 0;
  private static final byte ERROR = 1;
  private static final int MAXIMUM_ANSWER = 8_192;
  private static final int MAXIMUM_NAME = 1_000;
  private static final int MAXIMUM_CODE = 100;
  private static final int END = 0;
  private static final int ABORTED = -1;

  private final TimedChannel channel;
  private final ByteBuffer number = ByteBuffer.allocate(Integer.BYTES);

  Wire(TimedChannel channel) {
    this.channel = channel;
  }

  void sendRequest(Request request) throws IOException {
    channel.writeFully(request.encode());
  }

  /**
   * Waits for a request.
   *
   * @param idle how long
   * @return empty if the peer closed instead
   */
  Optional<Request> readRequest(Duration idle) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(Request.HEAD);
    if (!channel.readFully(head, idle)) {
      return Optional.empty();
    }
    byte kind = checkHead(head.flip());
    int length = Short.toUnsignedInt(head.getShort());
    if (length > Request.MAXIMUM_BODY) {
      throw new ProtocolException("a request of " + length + " bytes");
    }
    return Optional.of(Request.decode(kind, readBody(length)));
  }

  /** Sends a success, with the name of what follows. */
  void sendOk(String name) throws IOException {
    sendAnswer(OK, StandardCharsets.UTF_8.encode(cut(name, MAXIMUM_NAME)));
  }

  /** Sends a failure; both sides then wait for the next request. */
  void sendError(Fault fault) throws IOException {
    byte[] code = cut(fault.code(), MAXIMUM_CODE).getBytes(StandardCharsets.UTF_8);
    byte[] message = fault.message().getBytes(StandardCharsets.UTF_8);
    int length = Math.min(message.length, MAXIMUM_ANSWER - code.length - 8);
    ByteBuffer body = ByteBuffer.allocate(code.length + length + 8);
    body.put(letter(fault.category())).put((byte) (fault.retry() ? 1 : 0));
    body.putShort((short) code.length).put(code);
    body.putShort((short) length).put(message, 0, length);
    sendAnswer(ERROR, body.flip());
  }

  /**
   * Reads an answer.
   *
   * @return the name in it
   * @throws FaultException if it is a failure
   */
  String readAnswer() throws IOException, FaultException {
    ByteBuffer head = ByteBuffer.allocate(Request.HEAD);
    channel.readFully(head);
    byte status = checkHead(head.flip());
    int length = Short.toUnsignedInt(head.getShort());
    if (length > MAXIMUM_ANSWER || (status != OK && status != ERROR)) {
      throw new ProtocolException("an answer " + status + " of " + length + " bytes");
    }
    ByteBuffer body = readBody(length);
    if (status == ERROR) {
      throw new FaultException(decodeFault(body));
    }
    return StandardCharsets.UTF_8.decode(body).toString().replaceAll("\\p{Cntrl}", "?");
  }

  /** Sends a piece of a file as one chunk. */
  void sendChunk(FileChannel file, long offset, int length) throws IOException {
    sendNumber(length);
    if (channel.sendFully(file, offset, length) < length) {
      // What was announced cannot be sent any more: only closing tells the peer.
      throw new EOFException("a file became shorter while it was sent");
    }
  }

  void sendEnd() throws IOException {
    sendNumber(END);
  }

  /** Says in place of a chunk that there will be no more, and why. */
  void sendAborted(Fault fault) throws IOException {
    sendNumber(ABORTED);
    sendError(fault);
  }

  /**
   * Reads the length of the next chunk.
   *
   * @return 0 at the end
   * @throws FaultException if the peer cannot go on
   */
  int readChunkLength() throws IOException, FaultException {
    number.clear();
    channel.readFully(number);
    int length = number.flip().getInt();
    if (length == ABORTED) {
      readAnswer();
      throw new ProtocolException("an abort without a fault");
    }
    if (length < 0 || length > MAXIMUM_CHUNK) {
      throw new ProtocolException("a chunk of " + length + " bytes");
    }
    return length;
  }

  /** Fills the buffer with bytes of a chunk. */
  void readData(ByteBuffer buffer) throws IOException {
    channel.readFully(buffer);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private void sendNumber(int value) throws IOException {
    number.clear().putInt(value).flip();
    channel.writeFully(number);
  }

  private void sendAnswer(byte status, ByteBuffer body) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(Request.HEAD + body.remaining());
    frame.putShort(Request.MAGIC).put(Request.VERSION).put(status);
    frame.putShort((short) body.remaining()).put(body);
    channel.writeFully(frame.flip());
  }

  private static byte checkHead(ByteBuffer head) throws ProtocolException {
    short magic = head.getShort();
    byte version = head.get();
    if (magic != Request.MAGIC || version != Request.VERSION) {
      throw new ProtocolException(
          "not version " + Request.VERSION + " of the staging protocol of Weft");
    }
    return head.get();
  }

  private ByteBuffer readBody(int length) throws IOException {
    ByteBuffer body = ByteBuffer.allocate(length);
    channel.readFully(body);
    return body.flip();
  }

  private static Fault decodeFault(ByteBuffer body) throws ProtocolException {
    if (body.remaining() < 2) {
      throw new ProtocolException("a fault without a category");
    }
    Fault.Category category = category(body.get());
    boolean retry = body.get() != 0;
    return new Fault(text(body), category, text(body), retry);
  }

  private static byte letter(Fault.Category category) {
    return (byte)
        switch (category) {
          case USER -> 'U';
          case INTERNAL -> 'I';
          case RESOURCES -> 'R';
          case EXTERNAL -> 'E';
        };
  }

  private static Fault.Category category(byte letter) throws ProtocolException {
    for (Fault.Category category : Fault.Category.values()) {
      if (letter(category) == letter) {
        return category;
      }
    }
    throw new ProtocolException("a fault of the unknown category " + letter);
  }

  private static String text(ByteBuffer body) throws ProtocolException {
    int length = body.remaining() < 2 ? -1 : Short.toUnsignedInt(body.getShort());
    if (length < 0 || length > body.remaining()) {
      throw new ProtocolException("a fault that is cut off");
    }
    ByteBuffer text = body.slice(body.position(), length);
    body.position(body.position() + length);
    return StandardCharsets.UTF_8.decode(text).toString();
  }

  private static String cut(String text, int maximum) {
    return text.length() > maximum ? text.substring(0, maximum) : text;
  }
}
