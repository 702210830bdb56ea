package dev.weft.shell.server;

import dev.weft.shell.wire.Frame;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Turns bytes into frames of one kind. */
final class FrameOutput extends OutputStream {
  private final Outgoing outgoing;
  private final Frame.Kind kind;

  FrameOutput(Outgoing outgoing, Frame.Kind kind) {
    this.outgoing = outgoing;
    this.kind = kind;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int at = offset;
    int end = offset + length;
    while (at < end) {
      int next = Math.min(end, at + Frame.MAXIMUM_PAYLOAD);
      outgoing.put(new Frame(kind, Arrays.copyOfRange(bytes, at, next)));
      at = next;
    }
  }
}
