package dev.weft.api;

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

  @Override
  public String toString() {
    return sha256.substring(0, HexId.SHORT_LENGTH) + " (" + length + " bytes)";
  }
}
