package dev.weft.shell.wire;

import java.io.IOException;

/** The other end sent something that cannot be understood. */
public final class FrameException extends IOException {
  private static final long serialVersionUID = 1L;

  /** With what was wrong, in plain words. */
  public FrameException(String message) {
    super(message);
  }
}
