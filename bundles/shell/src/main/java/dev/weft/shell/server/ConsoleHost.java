package dev.weft.shell.server;

import dev.weft.shell.command.CommandException;
import dev.weft.shell.command.Display;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Gives the console of the running framework to a client. Thread-safe. */
public interface ConsoleHost {
  /**
   * Lets a user work in the console until he leaves it or goes away.
   *
   * @return exit code
   */
  int interactive(Link link) throws CommandException, InterruptedException;

  /**
   * Runs console commands; the first that fails ends it.
   *
   * @return exit code
   */
  int run(Link link, String commands) throws CommandException, InterruptedException;

  /** A client that uses the console. */
  interface Link {
    /** Bytes from its keyboard; ends when it has gone. */
    InputStream input();

    /** Bytes for its screen. */
    OutputStream output();

    /** Bytes for its standard error. */
    OutputStream errors();

    /** Its terminal, now. */
    Supplier<Display> display();

    /** Its current folder. */
    Path folder();

    /** Says what to do when its window changes. */
    void onResize(Consumer<Display> handler);

    /** Says what to do when its user interrupts. */
    void onInterrupt(Runnable handler);
  }
}
