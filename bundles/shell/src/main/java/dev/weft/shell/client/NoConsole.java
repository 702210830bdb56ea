package dev.weft.shell.client;

import dev.weft.shell.command.CommandException;
import dev.weft.shell.command.Display;
import dev.weft.shell.command.Invocation;

/** A command that runs in the client has no console. */
final class NoConsole implements Invocation.Console {
  @Override
  public int interactive(Display display) throws CommandException {
    throw new CommandException("the console needs a manager");
  }

  @Override
  public int run(String commands) throws CommandException {
    throw new CommandException("the console needs a manager");
  }
}
