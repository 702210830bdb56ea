package dev.weft.shell.console;

import dev.weft.core.job.JobView;
import dev.weft.shell.command.CommandException;
import dev.weft.shell.command.CommandTree;
import dev.weft.shell.command.Services;
import dev.weft.shell.render.Table;
import dev.weft.shell.render.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Function;
import org.apache.felix.service.command.Process;
import org.jline.reader.Candidate;

/** Weft's commands in Gogo: name to function, to be registered as services of the scope weft. */
public final class GogoCommands {
  /** Scope of all of them. */
  public static final String SCOPE = "weft";

  private static final int MOST_CANDIDATES = 200;

  private GogoCommands() {}

  /** All of them. Names that start with an underscore are for completion and are not shown. */
  public static Map<String, Function> all(Services services) {
    Map<String, Function> functions = new LinkedHashMap<>();
    words().forEach((name, words) -> functions.put(name, new GogoCommand(services, words)));
    functions.put("help", GogoCommands::help);
    functions.put("exit", GogoCommands::exit);
    functions.put("_jobs", (session, arguments) -> jobs(services));
    functions.put("_nodes", (session, arguments) -> nodes(services));
    return functions;
  }

  // Name in the console to words on the command line.
  private static Map<String, List<String>> words() {
    Map<String, List<String>> words = new LinkedHashMap<>();
    words.put("nodes", List.of("node", "list"));
    words.put("node", List.of("node", "show"));
    words.put("drain", List.of("node", "drain"));
    words.put("eligibility", List.of("node", "eligibility"));
    words.put("jobs", List.of("job", "list"));
    words.put("job", List.of("job", "status"));
    words.put("why", List.of("job", "why"));
    words.put("run", List.of("job", "run"));
    words.put("validate", List.of("job", "validate"));
    words.put("watch", List.of("job", "watch"));
    words.put("cancel", List.of("job", "cancel"));
    words.put("logs", List.of("job", "logs"));
    words.put("output", List.of("job", "output"));
    words.put("buffer", List.of("buffer"));
    words.put("discovery", List.of("discovery"));
    words.put("status", List.of("status"));
    words.put("policies", List.of("policy", "list"));
    return words;
  }

  private static Object help(CommandSession session, List<Object> arguments)
      throws CommandException {
    Process process = Process.Utils.current();
    if (!arguments.isEmpty()) {
      String name = String.valueOf(arguments.get(0));
      String plain = name.startsWith(SCOPE + ":") ? name.substring(SCOPE.length() + 1) : name;
      List<String> command = words().get(plain);
      if (command == null) {
        throw new CommandException(
            "weft has no command '"
                + Text.clean(plain)
                + "'; for all others: gogo:help "
                + Text.clean(plain));
      }
      process.out().print(CommandTree.usage(command));
      return null;
    }
    Table table = Table.of("COMMAND", "WHAT IT DOES");
    words().forEach((name, command) -> table.row(name, CommandTree.header(command)));
    table.row("help [COMMAND]", "Show how a command is used.");
    table.row("exit", "Leave the console; the manager goes on. So does Ctrl-D.");
    process.out().print(table.render(false));
    process.out().print("All other commands: gogo:help\n");
    return null;
  }

  private static Object exit(CommandSession session, List<Object> arguments)
      throws CommandException {
    if (session.get(GogoConsole.EXIT) instanceof Runnable leave) {
      leave.run();
      return null;
    }
    throw new CommandException("this console was not opened with 'weft shell'; try Ctrl-D");
  }

  private static List<Candidate> jobs(Services services) throws CommandException {
    List<Candidate> candidates = new ArrayList<>();
    for (JobView job : services.jobs().jobs()) {
      if (candidates.size() < MOST_CANDIDATES) {
        candidates.add(
            candidate(job.id().shortForm(), Text.clean(job.name()) + ", " + job.state()));
      }
    }
    return candidates;
  }

  private static List<Candidate> nodes(Services services) throws CommandException {
    return services.resources().nodes().stream()
        .limit(MOST_CANDIDATES)
        .map(node -> candidate(node.id().shortForm(), Text.clean(node.name())))
        .toList();
  }

  private static Candidate candidate(String value, String description) {
    return new Candidate(value, value, null, description, null, null, true);
  }
}
