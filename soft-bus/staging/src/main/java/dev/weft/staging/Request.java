package dev.weft.staging;

import dev.weft.api.AttemptId;
import dev.weft.api.ContentId;
import dev.weft.api.JobId;
import dev.weft.api.TaskId;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * What a node asks of a staging area. Wire form: {@code docs/protocol-staging.md}, section
 * "Requests".
 */
sealed interface Request {
  /** First bytes of each request and each answer: "WS". */
  short MAGIC = 0x5753;

  /** Version of the protocol. */
  byte VERSION = 1;

  /** Length of the head: magic, version, kind, length of the body. */
  int HEAD = 6;

  /** Longest body that is accepted. */
  int MAXIMUM_BODY = 128;

  /** Send me these bytes. */
  record Get(ContentId content) implements Request {
    static final byte KIND = 1;
    private static final int BODY = 32 + 8;

    @Override
    public ByteBuffer encode() {
      ByteBuffer buffer = head(KIND, BODY);
      putContent(buffer, content);
      return buffer.flip();
    }
  }

  /** Keep these bytes, a result. */
  record Put(AttemptId attempt, ContentId content) implements Request {
    static final byte KIND = 2;
    private static final int BODY = 16 + 4 + 4 + 32 + 8;

    @Override
    public ByteBuffer encode() {
      ByteBuffer buffer = head(KIND, BODY);
      buffer.put(HexFormat.of().parseHex(attempt.task().job().hex()));
      buffer.putInt(attempt.task().index());
      buffer.putInt(attempt.number());
      putContent(buffer, content);
      return buffer.flip();
    }
  }

  /** The wire form, ready to be sent. */
  ByteBuffer encode();

  /**
   * Reads the body of a request.
   *
   * @throws ProtocolException if it is none
   */
  static Request decode(byte kind, ByteBuffer body) throws ProtocolException {
    try {
      if (kind == Get.KIND && body.remaining() == Get.BODY) {
        return new Get(content(body));
      }
      if (kind == Put.KIND && body.remaining() == Put.BODY) {
        JobId job = new JobId(hex(body, 16));
        TaskId task = new TaskId(job, body.getInt());
        AttemptId attempt = new AttemptId(task, body.getInt());
        return new Put(attempt, content(body));
      }
    } catch (IllegalArgumentException e) {
      throw new ProtocolException("a request with a bad value: " + e.getMessage());
    }
    throw new ProtocolException("unknown request " + kind + " of " + body.remaining() + " bytes");
  }

  private static ByteBuffer head(byte kind, int body) {
    return ByteBuffer.allocate(HEAD + body)
        .putShort(MAGIC)
        .put(VERSION)
        .put(kind)
        .putShort((short) body);
  }

  private static void putContent(ByteBuffer buffer, ContentId content) {
    buffer.put(HexFormat.of().parseHex(content.sha256()));
    buffer.putLong(content.length());
  }

  private static ContentId content(ByteBuffer body) {
    return new ContentId(hex(body, 32), body.getLong());
  }

  private static String hex(ByteBuffer body, int bytes) {
    byte[] array = new byte[bytes];
    body.get(array);
    return HexFormat.of().formatHex(array);
  }
}
