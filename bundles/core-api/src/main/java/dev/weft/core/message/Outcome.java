package dev.weft.core.message;

import dev.weft.api.Bytes;
import dev.weft.api.ContentId;
import dev.weft.api.Fault;
import java.util.Objects;
import java.util.OptionalInt;

/** How an attempt ended, as the node tells it. */
public sealed interface Outcome {
  /** The command ended with exit code 0 and its result is safe with the manager. */
  record Succeeded(Result result) implements Outcome {
    /** Checks. */
    public Succeeded {
      Objects.requireNonNull(result, "result");
    }
  }

  /**
   * It did not succeed.
   *
   * @param fault why; {@code retry} says whether another attempt may succeed
   * @param exitCode exit code, or 128 plus the signal; empty if the command did not end by itself
   * @param errorTail end of the standard error, at most 4 KiB
   */
  record Failed(Fault fault, OptionalInt exitCode, String errorTail) implements Outcome {
    /** Checks. */
    public Failed {
      Objects.requireNonNull(fault, "fault");
      Objects.requireNonNull(exitCode, "exitCode");
      Objects.requireNonNull(errorTail, "errorTail");
    }
  }

  /** It was stopped because it was asked to, or because it lost its manager (A8). */
  record Stopped(String reason) implements Outcome {
    /** Checks. */
    public Stopped {
      Objects.requireNonNull(reason, "reason");
    }
  }

  /** Where the standard output of a task is. */
  sealed interface Result {
    /**
     * In this message.
     *
     * @param bytes at most {@link #MAXIMUM_INLINE}
     */
    record Inline(Bytes bytes) implements Result {
      /** Largest result sent inside a message, in bytes. */
      public static final int MAXIMUM_INLINE = 4_096;

      /** Checks. */
      public Inline {
        if (bytes.length() > MAXIMUM_INLINE) {
          throw new IllegalArgumentException("too long for a message: " + bytes);
        }
      }
    }

    /** Delivered to the manager's staging area before this was said. */
    record Stored(ContentId content) implements Result {
      /** Checks. */
      public Stored {
        Objects.requireNonNull(content, "content");
      }
    }
  }
}
