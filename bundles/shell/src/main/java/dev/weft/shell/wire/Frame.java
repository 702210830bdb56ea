package dev.weft.shell.wire;

import java.util.Objects;
import java.util.Optional;

/**
 * One message between client and manager. On the wire: one byte that says what it is, four bytes
 * with the length of what follows (big endian), and that many bytes.
 */
public final class Frame {
  /** Most bytes of a payload. */
  public static final int MAXIMUM_PAYLOAD = 65_536;

  private final Kind kind;
  private final byte[] payload;

  /**
   * A frame.
   *
   * @param payload not copied, not to be changed afterwards
   */
  public Frame(Kind kind, byte[] payload) {
    this.kind = Objects.requireNonNull(kind, "kind");
    this.payload = Objects.requireNonNull(payload, "payload");
    if (payload.length > MAXIMUM_PAYLOAD) {
      throw new IllegalArgumentException("payload of " + payload.length + " bytes");
    }
  }

  /** What it is. */
  public Kind kind() {
    return kind;
  }

  /** What it carries; not copied. */
  public byte[] payload() {
    return payload;
  }

  /** What a frame is. */
  public enum Kind {
    /** Client, first: a {@link Hello}. */
    HELLO(1),
    /** Client, after the hello: a piece of the job file. */
    FILE(2),
    /** Client: the request is complete; nothing in it. */
    START(3),
    /** Client: bytes of its standard input. */
    INPUT(4),
    /** Client: its standard input has ended; nothing in it. */
    INPUT_END(5),
    /** Client: columns and rows of its terminal, four bytes each. */
    WINDOW(6),
    /** Client: its user asks to interrupt; nothing in it. */
    INTERRUPT(7),
    /** Manager: bytes for standard output. */
    OUTPUT(16),
    /** Manager: bytes for standard error. */
    ERRORS(17),
    /** Manager, last: the exit code, four bytes. */
    EXIT(18);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    /** Its byte on the wire. */
    public int code() {
      return code;
    }

    /** The kind that a byte stands for. */
    public static Optional<Kind> of(int code) {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return Optional.of(kind);
        }
      }
      return Optional.empty();
    }
  }
}
