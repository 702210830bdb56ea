package dev.weft.shell.console;

import dev.weft.shell.command.CommandException;
import dev.weft.shell.command.CommandRunner;
import dev.weft.shell.command.CommandTree;
import dev.weft.shell.command.Display;
import dev.weft.shell.command.ExitCode;
import dev.weft.shell.command.Invocation;
import dev.weft.shell.command.JobFileReader;
import dev.weft.shell.command.Services;
import java.io.IOException;
import java.time.Clock;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.felix.gogo.jline.Shell;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Function;
import org.apache.felix.service.command.Process;
import org.jline.terminal.Terminal;

/** A command of the command line under a short name in Gogo, all its options included. */
final class GogoCommand implements Function {
  private final Services services;
  private final List<String> words;

  /**
   * A command.
   *
   * @param words its words on the command line, such as job and list
   */
  GogoCommand(Services services, List<String> words) {
    this.services = services;
    this.words = words;
  }

  @Override
  public Object execute(CommandSession session, List<Object> arguments)
      throws CommandException, IOException {
    List<String> line = new ArrayList<>(words);
    boolean isWhole =
        !arguments.isEmpty()
            && words.size() > 1
            && CommandTree.isCommand(words.get(0), String.valueOf(arguments.get(0)));
    if (isWhole) {
      line.subList(1, line.size()).clear(); // such as job list, as on the command line
    }
    arguments.forEach(argument -> line.add(String.valueOf(argument)));
    Process process = Process.Utils.current();
    Invocation invocation =
        new Invocation(
            services,
            display(session, process),
            process.out(),
            process.err(),
            new JobFileReader(
                    session.currentDir().toAbsolutePath(),
                    process.in(),
                    System.getProperty("user.name"))
                ::read,
            new NoConsole(),
            Clock.systemUTC());
    int code = run(session, process, line, invocation);
    if (code != ExitCode.DONE) {
      throw new CommandException("", code);
    }
    return null;
  }

  // Gogo answers Ctrl-C by giving a job up, and prompts while the command still has something to
  // say. So the command in the foreground takes Ctrl-C itself.
  private static int run(
      CommandSession session, Process process, List<String> line, Invocation invocation)
      throws CommandException, IOException {
    Thread thread = Thread.currentThread();
    boolean foreground = process.isTty(1) && process.job() == session.foregroundJob();
    Terminal terminal =
        foreground && session.get(Shell.VAR_TERMINAL) instanceof Terminal screen ? screen : null;
    Terminal.SignalHandler gogo =
        terminal == null
            ? null
            : terminal.handle(Terminal.Signal.INT, signal -> thread.interrupt());
    try {
      return CommandRunner.runOrThrow(line, invocation);
    } catch (InterruptedException e) {
      return ExitCode.INTERRUPTED;
    } finally {
      if (terminal != null) {
        terminal.handle(Terminal.Signal.INT, gogo);
      }
    }
  }

  private static Supplier<Display> display(CommandSession session, Process process) {
    boolean output = process.isTty(1);
    boolean errors = process.isTty(2);
    if (!(session.get(Shell.VAR_TERMINAL) instanceof Terminal screen)) {
      Display none = new Display(false, false, false, false, 0, 0, "", ZoneId.systemDefault());
      return () -> none;
    }
    boolean color = !Boolean.FALSE.equals(session.get(GogoConsole.COLOR));
    ZoneId zone = session.get(GogoConsole.ZONE) instanceof ZoneId id ? id : ZoneId.systemDefault();
    return () ->
        new Display(
            true,
            output,
            errors,
            color,
            screen.getWidth(),
            screen.getHeight(),
            screen.getType(),
            zone);
  }

  /** Who is in the console needs no other. */
  private static final class NoConsole implements Invocation.Console {
    @Override
    public int interactive(Display display) throws CommandException {
      throw new CommandException("this is the console");
    }

    @Override
    public int run(String commands) throws CommandException {
      throw new CommandException("this is the console");
    }
  }
}
