package dev.weft.shell.client;

import dev.weft.core.job.JobSource;
import dev.weft.shell.command.CommandException;
import dev.weft.shell.command.CommandRunner;
import dev.weft.shell.command.CommandTree;
import dev.weft.shell.command.ConsoleCommand;
import dev.weft.shell.command.Display;
import dev.weft.shell.command.ExitCode;
import dev.weft.shell.command.Invocation;
import dev.weft.shell.command.JobFileReader;
import dev.weft.shell.command.ReadsJobFile;
import dev.weft.shell.wire.Hello;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The program behind {@code weft job run} and its like. It reads the command line, so that help and
 * usage errors need no manager, sends it to the manager, and shows what comes back.
 */
public final class Client {
  private final Surroundings surroundings;

  Client(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /**
   * What the client finds around itself.
   *
   * @param variables environment variables
   * @param folder current folder, absolute
   * @param input standard input
   * @param output standard output
   * @param errors standard error
   * @param terminal its terminal
   */
  record Surroundings(
      Map<String, String> variables,
      Path folder,
      InputStream input,
      OutputStream output,
      OutputStream errors,
      LocalTerminal terminal) {}

  /** Runs with the process's own streams and ends it. */
  public static void main(String[] arguments) {
    Map<String, String> variables = System.getenv();
    Surroundings surroundings =
        new Surroundings(
            variables,
            Path.of("").toAbsolutePath(),
            System.in,
            new FileOutputStream(FileDescriptor.out),
            new FileOutputStream(FileDescriptor.err),
            new SystemTerminal(variables));
    System.exit(new Client(surroundings).run(List.of(arguments)));
  }

  /**
   * Runs a command line.
   *
   * @return exit code
   */
  int run(List<String> arguments) {
    PrintStream errors = new PrintStream(surroundings.errors(), true, StandardCharsets.UTF_8);
    try {
      CommandTree.Parsed parsed = CommandTree.parse(arguments);
      return parsed.isLocal() ? local(parsed, errors) : remote(arguments, parsed);
    } catch (CommandException e) {
      if (!e.getMessage().isEmpty()) {
        errors.println(CommandTree.PROGRAM + ": " + e.getMessage());
      }
      return e.exitCode();
    } catch (InterruptedException e) {
      return ExitCode.INTERRUPTED;
    } catch (IOException e) {
      errors.println(CommandTree.PROGRAM + ": " + e.getMessage());
      return ExitCode.ERROR;
    }
  }

  private int local(CommandTree.Parsed parsed, PrintStream errors)
      throws CommandException, InterruptedException, IOException {
    Hello.Screen screen = surroundings.terminal().screen();
    Display display =
        new Display(
            screen.inputTerminal(),
            screen.outputTerminal(),
            screen.errorsTerminal(),
            screen.color(),
            screen.columns(),
            screen.rows(),
            screen.type(),
            ZoneId.systemDefault());
    PrintStream output = new PrintStream(surroundings.output(), false, StandardCharsets.UTF_8);
    return CommandRunner.runParsed(
        parsed,
        new Invocation(
            new NoServices(),
            () -> display,
            output,
            errors,
            new JobFileReader(
                    surroundings.folder(), surroundings.input(), System.getProperty("user.name"))
                ::read,
            new NoConsole(),
            Clock.systemUTC()));
  }

  private int remote(List<String> arguments, CommandTree.Parsed parsed)
      throws CommandException, IOException {
    Optional<JobSource> jobFile =
        parsed.command() instanceof ReadsJobFile reads
            ? Optional.of(
                new JobFileReader(
                        surroundings.folder(),
                        surroundings.input(),
                        System.getProperty("user.name"))
                    .read(reads.jobFile()))
            : Optional.empty();
    Path dataFolder =
        SocketFinder.dataFolder(parsed.data(), surroundings.variables(), surroundings.folder());
    Path socket = SocketFinder.socket(dataFolder);
    Hello.Screen screen = surroundings.terminal().screen();
    Hello hello =
        new Hello(
            arguments,
            surroundings.folder().toString(),
            screen,
            ZoneId.systemDefault().getId(),
            jobFile.map(source -> new Hello.JobFile(source.name(), source.folder().toString())));
    boolean reads =
        parsed.command() instanceof ConsoleCommand console && console.commands().isEmpty();
    boolean raw = reads && screen.inputTerminal() && screen.outputTerminal();
    try (Conversation conversation = new Conversation(connect(socket), surroundings)) {
      conversation.ask(hello, jobFile.map(JobSource::text));
      return conversation.listen(reads, raw);
    }
  }

  private static SocketChannel connect(Path socket) throws CommandException, IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.connect(UnixDomainSocketAddress.of(socket));
      return channel;
    } catch (IOException | IllegalArgumentException e) {
      channel.close();
      throw SocketFinder.nobody(socket);
    }
  }
}
