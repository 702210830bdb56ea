package dev.weft.process;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Starts programs through {@code setsid(1)}: works wherever that is installed. */
final class SetsidStarter implements Starter {
  private final Path setsid;

  SetsidStarter(Path setsid) {
    this.setsid = Objects.requireNonNull(setsid, "setsid");
  }

  /**
   * Finds {@code setsid}.
   *
   * @param path a search path, as in {@code PATH}
   */
  static Optional<SetsidStarter> find(String path) {
    for (String folder : (path + ":/usr/bin:/bin").split(":", -1)) {
      File file = new File(folder, "setsid");
      if (!folder.isEmpty() && file.canExecute()) {
        return Optional.of(new SetsidStarter(file.toPath().toAbsolutePath()));
      }
    }
    return Optional.empty();
  }

  @Override
  public Child start(Program program) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(setsid.toString());
    // What begins with a dash is the program's name, and not an option.
    command.add("--");
    command.addAll(program.arguments());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(program.folder().toFile())
            .redirectInput(Redirect.from(program.input().toFile()))
            .redirectOutput(Redirect.to(program.output().toFile()))
            .redirectError(Redirect.appendTo(program.errors().toFile()));
    builder.environment().clear();
    builder.environment().putAll(program.environment());
    Process process = builder.start();
    return new Child(process.pid(), process.onExit().thenApply(Process::exitValue), true);
  }
}
