package dev.weft.shell.command;

import picocli.CommandLine;

/** Stands for the commands that the start script serves itself, so that help shows them. */
abstract class Launched extends Command {
  @Override
  public int run(Invocation invocation) throws CommandException {
    throw new CommandException("this starts a process: use the start script bin/weft for it");
  }

  /** Starts a manager. */
  @CommandLine.Command(name = "manager", header = "Start a manager on this machine.")
  static final class Manager extends Launched {}

  /** Starts an agent. */
  @CommandLine.Command(name = "agent", header = "Start an agent on this machine.")
  static final class Agent extends Launched {}

  /** Starts both. */
  @CommandLine.Command(
      name = "all-in-one",
      header = "Start a manager with an agent inside the same process.")
  static final class AllInOne extends Launched {}

  /** Shows everything at once. */
  @CommandLine.Command(
      name = "demo",
      header = "Run a real job on a manager and three agents, made for it on this machine.")
  static final class Demo extends Launched {}
}
