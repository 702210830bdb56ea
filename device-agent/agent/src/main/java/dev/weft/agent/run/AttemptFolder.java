package dev.weft.agent.run;

import java.nio.file.Path;
import java.util.Objects;

/**
 * Where the files of one attempt are.
 *
 * @param root the attempt's own folder
 */
record AttemptFolder(Path root) {
  AttemptFolder {
    Objects.requireNonNull(root, "root");
  }

  /** Default working folder, with the staged files and the input. */
  Path work() {
    return root.resolve("work");
  }

  /** Standard output. */
  Path output() {
    return root.resolve("stdout");
  }

  /** Standard error. */
  Path errors() {
    return root.resolve("stderr");
  }
}
