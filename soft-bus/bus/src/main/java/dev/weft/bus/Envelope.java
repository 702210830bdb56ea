package dev.weft.bus;

import dev.weft.api.Bytes;
import java.util.Objects;

/**
 * One thing a node says to another.
 *
 * @param kind what it is
 * @param id number of the request, unique in the sender's boot; an answer repeats it; 0 otherwise
 * @param body content in wire form, see {@link WireCodec}; empty if the kind has none
 */
record Envelope(Kind kind, long id, Bytes body) {
  /** What an envelope is; the order is the wire form. */
  enum Kind {
    /** "I am here; who are you?" with a greeting. */
    HELLO,
    /** Answer to it, with a greeting. */
    WELCOME,
    /** "I am still here." */
    HEARTBEAT,
    /** "I am leaving." */
    GOODBYE,
    /** A message that wants an answer. */
    REQUEST,
    /** The answer. */
    ANSWER,
    /** "I do not know you; greet me first", in answer to a request. */
    STRANGER
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
