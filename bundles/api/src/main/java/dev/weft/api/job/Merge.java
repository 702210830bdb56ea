package dev.weft.api.job;

import java.util.Objects;

/** How the results of the tasks, their standard outputs, become the result of the job. */
public sealed interface Merge {
  /** One after the other, in order of index. */
  record Concatenate() implements Merge {}

  /**
   * A command that reads them, one after the other in order of index, from its standard input; its
   * standard output is the result. It is one more task, placed and run like the others.
   *
   * @param command the command
   */
  record Run(Command command) implements Merge {
    /** Checks. */
    public Run {
      Objects.requireNonNull(command, "command");
    }
  }
}
