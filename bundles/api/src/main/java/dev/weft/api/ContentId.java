package dev.weft.api;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Names bytes by their content.
 *
 * @param sha256 64 lower-case hexadecimal digits
 * @param length in bytes
 */
public record ContentId(String sha256, long length) {
  /** Checks form and length. */
  public ContentId {
    HexId.check(sha256, 64, "sha256");
    if (length < 0) {
      throw new IllegalArgumentException("content length must not be negative: " + length);
    }
  }

  /** A digest that bytes are put through to be named; finished by {@link #of}. */
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * The name of the bytes that went through a digest.
   *
   * @param digest from {@link #digest()}; is reset
   * @param length how many bytes went through it
   */
  public static ContentId of(MessageDigest digest, long length) {
    return new ContentId(HexFormat.of().formatHex(digest.digest()), length);
  }

  @Override
  public String toString() {
    return sha256.substring(0, HexId.SHORT_LENGTH) + " (" + length + " bytes)";
  }
}
