package dev.weft.shell.console;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Passes bytes on at once and whole, and does not close what is below. */
final class FlushingOutput extends FilterOutputStream {
  FlushingOutput(OutputStream below) {
    super(below);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    out.write(bytes, offset, length);
    out.flush();
  }

  @Override
  public void close() throws IOException {
    out.flush();
  }
}
