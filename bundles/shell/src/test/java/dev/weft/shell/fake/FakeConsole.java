package dev.weft.shell.fake;

import dev.weft.shell.command.CommandException;
import dev.weft.shell.server.ConsoleHost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/** A console that echoes what it is given. */
public final class FakeConsole implements ConsoleHost {
  private final CountDownLatch interrupted = new CountDownLatch(1);

  @Override
  public int interactive(Link link) throws CommandException, InterruptedException {
    return write(link, "interactive\n", 0);
  }

  @Override
  public int run(Link link, String commands) throws CommandException, InterruptedException {
    if (commands.strip().equals("wait")) {
      link.onInterrupt(interrupted::countDown);
      int code = write(link, "waiting\n", 3);
      interrupted.await();
      return code;
    }
    if (commands.strip().equals("broken")) {
      throw new IllegalStateException("a bug");
    }
    return write(link, "ran " + commands, commands.contains("fail") ? 1 : 0);
  }

  private static int write(Link link, String text, int code) throws CommandException {
    try {
      link.output().write(text.getBytes(StandardCharsets.UTF_8));
      link.output().flush();
      return code;
    } catch (IOException e) {
      throw new CommandException(e.getMessage());
    }
  }
}
