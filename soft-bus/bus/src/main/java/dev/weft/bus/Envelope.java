package dev.weft.bus;

import dev.weft.api.Bytes;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One thing a node says to another.
 *
 * @param kind what it is
 * @param id number of the request, unique in the sender's boot; an answer repeats it; 0 otherwise
 * @param body content in wire form, see {@link WireCodec}; empty if the kind has none
 */
record Envelope(Kind kind, long id, Bytes body) {
  /** What an envelope is. */
  enum Kind {
    /** "I am here; who are you?" with a greeting. */
    HELLO(0),
    /** Answer to it, with a greeting. */
    WELCOME(1),
    /** "I am still here." */
    HEARTBEAT(2),
    /** "I am leaving." */
    GOODBYE(3),
    /** A message that wants an answer. */
    REQUEST(4),
    /** The answer. */
    ANSWER(5),
    /** "I do not know you; greet me first", in answer to a request. */
    STRANGER(6);

    private static final List<Kind> ALL = List.of(values()); // in order of code

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    /** Its number on the wire. */
    int code() {
      return code;
    }

    /** The kind with a number; empty if a later version of the protocol has it. */
    static Optional<Kind> of(int code) {
      return code >= 0 && code < ALL.size() ? Optional.of(ALL.get(code)) : Optional.empty();
    }
  }

  Envelope {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(body, "body");
    if (id < 0) {
      throw new IllegalArgumentException("id must not be negative: " + id);
    }
  }

  static Envelope of(Kind kind) {
    return new Envelope(kind, 0, Bytes.EMPTY);
  }
}
