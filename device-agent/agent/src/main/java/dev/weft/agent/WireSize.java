package dev.weft.agent;

import dev.weft.core.message.Message.AttemptStatus;
import dev.weft.core.message.Outcome;

/** Estimates how many bytes things take on the wire; never less than they really take. */
final class WireSize {
  // Names of fields, identifiers and numbers of one attempt.
  private static final int FIXED = 512;

  private WireSize() {}

  static int of(AttemptStatus status) {
    return FIXED + status.outcome().map(WireSize::of).orElse(0);
  }

  private static int of(Outcome outcome) {
    if (outcome instanceof Outcome.Succeeded succeeded) {
      return succeeded.result() instanceof Outcome.Result.Inline inline
          ? inline.bytes().length()
          : 0;
    }
    if (outcome instanceof Outcome.Failed failed) {
      return text(failed.fault().code())
          + text(failed.fault().message())
          + text(failed.errorTail());
    }
    return text(((Outcome.Stopped) outcome).reason());
  }

  /** A text, without its frame. */
  static int text(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
    }
    return bytes;
  }
}
