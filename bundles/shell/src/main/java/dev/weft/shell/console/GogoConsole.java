package dev.weft.shell.console;

import dev.weft.shell.command.CommandException;
import dev.weft.shell.command.Display;
import dev.weft.shell.command.ExitCode;
import dev.weft.shell.render.Text;
import dev.weft.shell.server.ConsoleHost;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.felix.gogo.jline.Shell;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Converter;
import org.apache.felix.service.command.Job;
import org.apache.felix.service.threadio.ThreadIO;
import org.jline.reader.LineReader;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.ExternalTerminal;

/**
 * Opens Gogo sessions for clients. Each has a terminal of its own made of the client's bytes; JLine
 * looks for nothing through a context class loader there. Thread-safe.
 */
public final class GogoConsole implements ConsoleHost {
  /** Session variable: runs to leave the console. */
  static final String EXIT = ".weft.exit";

  /** Session variable: the user's time zone. */
  static final String ZONE = ".weft.zone";

  /** Session variable: false if no colours are wanted. */
  static final String COLOR = ".weft.color";

  private static final String PROFILE = "weft_profile";
  private static final int HISTORY_LINES = 500;
  private static final int HISTORY_FILE_LINES = 1_000;

  private final CommandProcessor processor;
  private final ThreadIO threadIo;
  private final Path folder;

  private GogoConsole(CommandProcessor processor, ThreadIO threadIo, Path folder) {
    this.processor = processor;
    this.threadIo = threadIo;
    this.folder = folder;
  }

  /**
   * A console with its files in place.
   *
   * @param folder of its own, for the profile and the history; made if it is missing
   */
  public static GogoConsole create(CommandProcessor processor, ThreadIO threadIo, Path folder)
      throws IOException {
    // Shell reads the profile of sessions from the folder etc under the property gosh.home.
    Files.createDirectories(folder.resolve("etc"));
    try (InputStream profile = GogoConsole.class.getResourceAsStream(PROFILE)) {
      if (profile == null) {
        throw new IOException("the bundle lacks its " + PROFILE);
      }
      Files.copy(
          profile, folder.resolve("etc").resolve(PROFILE), StandardCopyOption.REPLACE_EXISTING);
    }
    Path history = folder.resolve("history");
    if (!Files.exists(history)) {
      Files.createFile(
          history,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    return new GogoConsole(processor, threadIo, folder);
  }

  @Override
  public int interactive(Link link) throws CommandException, InterruptedException {
    Display display = link.display().get();
    try (Terminal terminal = terminal(link, display);
        CommandSession session =
            processor.createSession(terminal.input(), terminal.output(), terminal.output())) {
      Shell shell = new Shell(new ShellContext(folder), processor, threadIo, PROFILE);
      session.currentDir(link.folder());
      session.put(Shell.VAR_TERMINAL, terminal);
      session.put(LineReader.HISTORY_FILE, folder.resolve("history"));
      session.put(LineReader.HISTORY_SIZE, HISTORY_LINES);
      session.put(LineReader.HISTORY_FILE_SIZE, HISTORY_FILE_LINES);
      session.put(EXIT, (Runnable) shell::stop);
      session.put(ZONE, display.zone());
      session.put(COLOR, display.color());
      link.onResize(size -> resize(terminal, size));
      link.onInterrupt(() -> terminal.raise(Terminal.Signal.INT));
      try {
        call(() -> shell.gosh(session, new String[] {"--login", "--noshutdown", "--nohistory"}));
      } finally {
        interruptJobs(session);
      }
      return ExitCode.DONE;
    } catch (IOException e) {
      throw new CommandException("the console could not be opened: " + e.getMessage());
    }
  }

  private static Terminal terminal(Link link, Display display) throws IOException {
    Terminal terminal =
        new ExternalTerminal(
            "weft",
            display.type().isEmpty() ? Terminal.TYPE_DUMB : display.type(),
            link.input(),
            new FlushingOutput(link.output()),
            StandardCharsets.UTF_8);
    terminal.setSize(new Size(display.columns(), display.rows()));
    return terminal;
  }

  private static void resize(Terminal terminal, Display display) {
    terminal.setSize(new Size(display.columns(), display.rows()));
    terminal.raise(Terminal.Signal.WINCH);
  }

  @Override
  public int run(Link link, String commands) throws CommandException, InterruptedException {
    PrintStream output = new PrintStream(link.output(), true, StandardCharsets.UTF_8);
    PrintStream errors = new PrintStream(link.errors(), true, StandardCharsets.UTF_8);
    try (CommandSession session =
        processor.createSession(InputStream.nullInputStream(), output, errors)) {
      session.currentDir(link.folder());
      session.put(Shell.VAR_SCOPE, "weft:gogo:*");
      session.put(ZONE, link.display().get().zone());
      Thread thread = Thread.currentThread();
      link.onInterrupt(
          () -> {
            interruptJobs(session);
            thread.interrupt();
          });
      Object result = call(() -> session.execute(commands));
      if (result != null) {
        output.println(session.format(result, Converter.INSPECT));
      }
      return ExitCode.DONE;
    }
  }

  private static void interruptJobs(CommandSession session) {
    List<Job> jobs = new ArrayList<>(session.jobs());
    jobs.forEach(Job::interrupt);
  }

  // Gogo commands are foreign code that may throw anything; a task keeps it to itself.
  private static Object call(Callable<Object> callable)
      throws CommandException, InterruptedException {
    FutureTask<Object> task = new FutureTask<>(callable);
    task.run();
    try {
      return task.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof InterruptedException) {
        throw new InterruptedException();
      }
      if (cause instanceof CommandException failed) {
        throw failed;
      }
      throw new CommandException(
          Text.cleanLines(cause.getMessage() == null ? cause.toString() : cause.getMessage()));
    }
  }

  /** What Gogo's shell asks for: where its profile is. */
  private record ShellContext(Path folder) implements Shell.Context {
    @Override
    public String getProperty(String name) {
      return name.equals("gosh.home") ? folder.toString() : System.getProperty(name);
    }

    @Override
    public void exit() {
      throw new IllegalStateException("a console does not stop the framework");
    }
  }
}
