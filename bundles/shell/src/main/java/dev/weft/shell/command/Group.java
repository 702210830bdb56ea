package dev.weft.shell.command;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A name with commands under it. */
abstract class Group extends Command {
  @Spec private CommandSpec spec;

  @Override
  public int run(Invocation invocation) {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "a command is missing after '" + spec.qualifiedName() + "'");
  }

  /** Everything. */
  @CommandLine.Command(
      name = CommandTree.PROGRAM,
      header = "Turn the devices you own into one computer.",
      footer = {
        "",
        "The manager is found by --data, WEFT_DATA, $XDG_DATA_HOME/weft/manager or",
        "~/.local/share/weft/manager.",
        "Help on one command: weft help job run"
      })
  static final class Root extends Group {}

  /** About jobs. */
  @CommandLine.Command(name = "job", header = "Run, watch and stop jobs.")
  static final class Job extends Group {}

  /** About nodes. */
  @CommandLine.Command(name = "node", header = "Look at the devices, and take them out of use.")
  static final class Node extends Group {}

  /** About policies. */
  @CommandLine.Command(name = "policy", header = "Look at the policies.")
  static final class Policy extends Group {}
}
