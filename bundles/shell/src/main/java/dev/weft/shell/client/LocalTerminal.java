package dev.weft.shell.client;

import dev.weft.shell.wire.Hello;
import java.io.IOException;

/** The terminal that the client runs on, and its signals. */
interface LocalTerminal {
  /** What it is and how large. */
  Hello.Screen screen();

  /** Says what to do when the user presses Ctrl-C or the process gets SIGINT. */
  void onInterrupt(Runnable handler);

  /** Says what to do when the window changes. */
  void onResize(Runnable handler);

  /**
   * Puts it into raw mode: every key is delivered at once and nothing is echoed.
   *
   * @return puts it back; also done when the process is ended by a signal
   */
  Raw raw() throws IOException;

  /** Raw mode while it lasts. */
  interface Raw extends AutoCloseable {
    @Override
    void close();
  }
}
