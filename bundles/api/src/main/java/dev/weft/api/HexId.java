package dev.weft.api;

import java.util.Objects;

/** Checks shared by the identifiers that are written in lower-case hexadecimal. */
final class HexId {
  static final int SHORT_LENGTH = 8;

  private HexId() {}

  static String check(String hex, int length, String what) {
    Objects.requireNonNull(hex, what);
    if (hex.length() != length) {
      throw new IllegalArgumentException(
          what + " must have " + length + " hexadecimal digits, not " + hex.length());
    }
    for (int i = 0; i < length; i++) {
      char c = hex.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
        throw new IllegalArgumentException(
            what + " must be lower-case hexadecimal, but has '" + c + "' at position " + i);
      }
    }
    return hex;
  }
}
