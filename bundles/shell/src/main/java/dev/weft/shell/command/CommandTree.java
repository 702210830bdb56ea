package dev.weft.shell.command;

import dev.weft.shell.render.Text;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** All commands, and how a command line becomes one of them. */
public final class CommandTree {
  /** Name of the program. */
  public static final String PROGRAM = "weft";

  /** Option that names the manager's data folder. */
  public static final String DATA_OPTION = "--data";

  private static final int WIDEST_HELP = 100;
  private static final List<String> VERSION_OPTION = List.of("--version");

  private CommandTree() {}

  /** A new tree; each is good for one command line. */
  static CommandLine create() {
    CommandLine job =
        new CommandLine(new Group.Job())
            .addSubcommand(new JobRun())
            .addSubcommand(new JobValidate())
            .addSubcommand(new JobList())
            .addSubcommand(new JobWatch())
            .addSubcommand(new JobStatus())
            .addSubcommand(new JobCancel())
            .addSubcommand(new JobLogs())
            .addSubcommand(new JobOutput())
            .addSubcommand(new JobWhy());
    CommandLine node =
        new CommandLine(new Group.Node())
            .addSubcommand(new NodeList())
            .addSubcommand(new NodeShow())
            .addSubcommand(new NodeDrain())
            .addSubcommand(new NodeEligibility());
    CommandLine policy = new CommandLine(new Group.Policy()).addSubcommand(new PolicyList());
    CommandLine root =
        new CommandLine(new Group.Root())
            .addSubcommand(new Launched.Manager())
            .addSubcommand(new Launched.Agent())
            .addSubcommand(new Launched.AllInOne())
            .addSubcommand(new Launched.Demo())
            .addSubcommand(job)
            .addSubcommand(node)
            .addSubcommand(policy)
            .addSubcommand(new Buffer())
            .addSubcommand(new Discovery())
            .addSubcommand(new Status())
            .addSubcommand(new ConsoleCommand())
            .addSubcommand(new Completion())
            .addSubcommand(new Version())
            .addSubcommand(new Help());
    // Added last, so that every command inherits it.
    root.getCommandSpec()
        .addOption(
            OptionSpec.builder(DATA_OPTION)
                .paramLabel("DIR")
                .type(String.class)
                .scopeType(CommandLine.ScopeType.INHERIT)
                .description("Data folder of the manager.")
                .build());
    return root;
  }

  /**
   * Reads a command line.
   *
   * @throws CommandException if it is wrong, with what to do about it
   */
  public static Parsed parse(List<String> arguments) throws CommandException {
    CommandLine root = create();
    try {
      List<String> words = arguments.equals(VERSION_OPTION) ? List.of("version") : arguments;
      CommandLine.ParseResult result = root.parseArgs(words.toArray(new String[0]));
      String data = result.matchedOptionValue(DATA_OPTION, null);
      while (result.hasSubcommand()) {
        result = result.subcommand();
        data = result.matchedOptionValue(DATA_OPTION, data);
      }
      CommandLine line = result.commandSpec().commandLine();
      return new Parsed(line, (Command) line.getCommand(), Optional.ofNullable(data));
    } catch (CommandLine.ParameterException e) {
      throw usageError(e);
    }
  }

  /**
   * A command line that could be read.
   *
   * @param line of the command
   * @param command the command, its options and parameters filled in
   * @param data what {@code --data} said
   */
  public record Parsed(CommandLine line, Command command, Optional<String> data) {
    /** Whether the client runs it by itself, without a manager. */
    public boolean isLocal() {
      return command.isHelpWanted()
          || command instanceof Help
          || command instanceof Version
          || command instanceof Completion
          || command instanceof Launched
          || command instanceof Group;
    }
  }

  /** Whether a group of commands has one of that name. */
  public static boolean isCommand(String group, String name) {
    return find(List.of(group)).getSubcommands().containsKey(name);
  }

  /** How the command with these words is used, for a console. */
  public static String usage(List<String> words) {
    return find(words).getUsageMessage(CommandLine.Help.Ansi.OFF);
  }

  /** What the command with these words does, in one line. */
  public static String header(List<String> words) {
    return String.join(" ", find(words).getCommandSpec().usageMessage().header());
  }

  private static CommandLine find(List<String> words) {
    CommandLine line = create();
    for (String word : words) {
      line = line.getSubcommands().get(word);
    }
    return line;
  }

  /** What {@code --help} prints. */
  static String usage(CommandLine line, Display display) {
    line.setUsageHelpWidth(Math.min(Math.max(display.columns(), 60), WIDEST_HELP));
    return line.getUsageMessage(
        display.ansi() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF);
  }

  /** What is wrong with a command line, and where to read how it is right. */
  static CommandException usageError(CommandLine.ParameterException error) {
    StringBuilder message = new StringBuilder();
    CommandLine line = error.getCommandLine();
    if (error instanceof CommandLine.UnmatchedArgumentException unmatched) {
      String first = unmatched.getUnmatched().get(0);
      boolean command = !first.startsWith("-") && !line.getSubcommands().isEmpty();
      message
          .append(
              unmatched.isUnknownOption()
                  ? "Unknown option '"
                  : command ? "Unknown command '" : "Unexpected argument '")
          .append(Text.clean(first))
          .append('\'');
      List<String> suggestions = unmatched.getSuggestions();
      if (!suggestions.isEmpty() && (command || unmatched.isUnknownOption())) {
        message.append("; did you mean ").append(String.join(" or ", suggestions)).append('?');
      }
    } else {
      message.append(Text.cleanLines(error.getMessage()));
    }
    String name = line.getCommandSpec().qualifiedName();
    message.append("\nSee how it is used with: ").append(name).append(" --help");
    return new CommandException(message.toString());
  }
}
