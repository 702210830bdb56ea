package dev.weft.api.job;

import dev.weft.api.ContentId;
import java.util.Objects;

/** The piece of the input that one task works on. */
public sealed interface Shard {
  /**
   * Bytes, staged on the node before the start: standard input of the command, and a file named by
   * {@code WEFT_INPUT}.
   *
   * @param content which bytes
   * @param name file name to show and to use on the node
   */
  record Content(ContentId content, String name) implements Shard {
    /** Checks. */
    public Content {
      Objects.requireNonNull(content, "content");
      Objects.requireNonNull(name, "name");
    }
  }

  /**
   * Numbers, given as {@code WEFT_FROM}, {@code WEFT_TO} and {@code WEFT_STEP}.
   *
   * @param from first
   * @param to last, included
   * @param step distance
   */
  record Numbers(long from, long to, long step) implements Shard {}

  /** Nothing but the index of the task. */
  record Index() implements Shard {}
}
