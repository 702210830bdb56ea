package dev.weft.api;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A few bytes as a value: copied on the way in and out, equal by content. */
public final class Bytes {
  /** No bytes. */
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] content;

  private Bytes(byte[] content) {
    this.content = content;
  }

  /** A copy of the given bytes. */
  public static Bytes of(byte[] content) {
    return content.length == 0 ? EMPTY : new Bytes(content.clone());
  }

  /** The bytes of a text in UTF-8. */
  public static Bytes of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A copy. */
  public byte[] toArray() {
    return content.clone();
  }

  /** How many. */
  public int length() {
    return content.length;
  }

  /** The text that they are in UTF-8; what is not UTF-8 is replaced. */
  public String toText() {
    return new String(content, StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes bytes && Arrays.equals(content, bytes.content);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(content);
  }

  @Override
  public String toString() {
    return content.length + " bytes";
  }
}
