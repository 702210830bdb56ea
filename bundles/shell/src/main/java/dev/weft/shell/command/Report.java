package dev.weft.shell.command;

import picocli.CommandLine.Option;

/** A command that shows something, as a table or as JSON. */
abstract class Report extends Command {
  @Option(
      names = "--json",
      description = "Print one JSON document: times in UTC, amounts in base units.")
  private boolean json;

  /** Whether JSON is wanted. */
  final boolean json() {
    return json;
  }
}
