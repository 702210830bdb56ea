package dev.weft.agent;

import dev.weft.core.message.Message.AttemptStatus;
import dev.weft.core.message.Outcome;

/** Estimates how many bytes a status takes on the wire; never less than it really takes. */
final class StatusSize {
  // Names of fields, identifiers and numbers of one attempt.
  private static final int FIXED = 512;

  private StatusSize() {}

  static int of(AttemptStatus status) {
    return FIXED + status.outcome().map(StatusSize::of).orElse(0);
  }

  private static int of(Outcome outcome) {
    if (outcome instanceof Outcome.Succeeded succeeded) {
      return succeeded.result() instanceof Outcome.Result.Inline inline
          ? inline.bytes().length()
          : 0;
    }
    if (outcome instanceof Outcome.Failed failed) {
      return utf8(failed.fault().code())
          + utf8(failed.fault().message())
          + utf8(failed.errorTail());
    }
    return utf8(((Outcome.Stopped) outcome).reason());
  }

  private static int utf8(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
    }
    return bytes;
  }
}
