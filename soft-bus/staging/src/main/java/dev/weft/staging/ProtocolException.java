package dev.weft.staging;

import java.io.IOException;

/** The other side does not speak the staging protocol: the connection must be closed. */
final class ProtocolException extends IOException {
  private static final long serialVersionUID = 1L;

  ProtocolException(String message) {
    super(message);
  }
}
