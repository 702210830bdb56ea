package dev.weft.shell.command;

import java.util.concurrent.FutureTask;

/** Closes what may throw anything at it. */
final class Closing {
  private Closing() {}

  /** Closes; what goes wrong is of no interest to who is done with it. */
  static void close(AutoCloseable resource) {
    // A task keeps whatever is thrown to itself.
    new FutureTask<Void>(
            () -> {
              resource.close();
              return null;
            })
        .run();
  }
}
