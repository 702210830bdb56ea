package dev.weft.shell.console;

import dev.weft.shell.command.Services;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.felix.gogo.jline.Builtin;
import org.apache.felix.gogo.jline.Posix;
import org.apache.felix.gogo.jline.Procedural;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.gogo.runtime.threadio.ThreadIOImpl;

/** Gogo without a framework: its runtime, its own commands and Weft's. */
public final class TestGogo implements AutoCloseable {
  private final ThreadIOImpl threadIo = new ThreadIOImpl();
  private final CommandProcessorImpl processor = new CommandProcessorImpl(threadIo);

  /** Starts; nothing but this may change the process's standard streams meanwhile. */
  public TestGogo(Services services) {
    threadIo.start();
    add(
        new Builtin(),
        "format getopt new set tac type jobs fg bg keymap setopt unsetopt complete history"
            + " widget __files __directories __usage_completion");
    add(new Procedural(), "each if not throw try until while break continue");
    add(new Posix(processor), "cat echo grep sort sleep cd pwd ls less head tail wc date");
    GogoCommands.all(services)
        .forEach((name, function) -> processor.addCommand(GogoCommands.SCOPE, function, name));
  }

  private void add(Object target, String names) {
    for (String name : List.of(names.split(" "))) {
      processor.addCommand("gogo", target, name);
    }
  }

  /** The console over it. */
  public GogoConsole console(Path folder) throws IOException {
    return GogoConsole.create(processor, threadIo, folder);
  }

  @Override
  public void close() {
    processor.stop();
    threadIo.stop();
  }
}
