package dev.weft.scheduler.jobfile;

import dev.weft.api.job.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the keys of a command: {@code command}, {@code shell}, {@code environment}, {@code folder},
 * {@code executor}.
 */
final class CommandSection {
  /** Keys that every command may have. */
  static final List<String> KEYS = List.of("command", "shell", "environment");

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{(input|index|from|to|step)}");
  private static final Pattern RESULT = Pattern.compile("\\{result\\.([^{}]*)}");
  private static final Pattern KIND = Pattern.compile("[a-z][a-z0-9-]{0,31}");

  /** Kind of a task that does nothing, so that it needs no program. */
  private static final String NOTHING = "noop";

  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,99}");
  private static final String LIST = "a list: the program and its arguments";
  private static final int MAXIMUM_FOLDER = 4_096;

  private final Section section;
  private final Set<String> placeholders;
  private final String input;
  private final Map<String, String> results;

  /**
   * For one command.
   *
   * @param section where its keys are
   * @param placeholders those that have a value here
   * @param input what the command works on, in words
   * @param results under which names it finds results of other jobs, by what the job file calls
   *     those
   */
  CommandSection(
      Section section, Set<String> placeholders, String input, Map<String, String> results) {
    this.section = section;
    this.placeholders = placeholders;
    this.input = input;
    this.results = results;
  }

  Optional<Command> read() {
    boolean shell = section.get("shell").flatMap(Value::flag).orElse(false);
    String kind = section.get("executor").flatMap(CommandSection::kind).orElse(Command.PROCESS);
    boolean nothing = kind.equals(NOTHING);
    Optional<Value> command = nothing ? section.get("command") : section.require("command", LIST);
    Optional<List<String>> arguments =
        nothing && command.isEmpty()
            ? Optional.of(List.of(NOTHING))
            : command.flatMap(value -> shell ? shellCommand(value) : argumentList(value));
    SortedMap<String, String> environment = new TreeMap<>();
    section.get("environment").ifPresent(value -> environment.putAll(environment(value)));
    Optional<String> folder =
        section.get("folder").flatMap(value -> value.text("the path of a folder", MAXIMUM_FOLDER));
    if (arguments.isEmpty() || !fits(arguments.get(), environment)) {
      return Optional.empty();
    }
    return Optional.of(new Command(arguments.get(), environment, folder, kind));
  }

  private static Optional<String> kind(Value value) {
    String expected = "the kind of an executor, such as process or noop";
    Optional<String> kind = value.text(expected, Command.MAXIMUM_KIND);
    return kind.isPresent() && !KIND.matcher(kind.get()).matches()
        ? value.unexpected(expected)
        : kind;
  }

  private Optional<List<String>> shellCommand(Value value) {
    if (value.isList()) {
      value.problem("with 'shell: true' expected one text, not a list");
      return Optional.empty();
    }
    return argument(value, "a command line for the shell")
        .map(line -> List.of("/bin/sh", "-c", line));
  }

  private Optional<List<String>> argumentList(Value value) {
    if (!value.isList() && !value.isMap()) {
      value.problem("expected " + LIST + "; for a command line add 'shell: true'");
      return Optional.empty();
    }
    Optional<List<Value>> items = value.list(LIST, Command.MAXIMUM_ARGUMENTS);
    if (items.isEmpty()) {
      return Optional.empty();
    }
    if (items.get().isEmpty()) {
      value.problem("is empty; name at least the program");
      return Optional.empty();
    }
    List<String> arguments = new ArrayList<>();
    for (Value item : items.get()) {
      arguments.add(argument(item, "a text").orElse(""));
    }
    return Optional.of(arguments);
  }

  private Map<String, String> environment(Value value) {
    Map<String, String> variables = new TreeMap<>();
    Map<String, Value> entries = value.entries("a map of variables");
    if (entries.size() > Command.MAXIMUM_VARIABLES) {
      value.problem("has " + entries.size() + " variables; at most " + Command.MAXIMUM_VARIABLES);
      return variables;
    }
    entries.forEach(
        (name, entry) -> {
          if (!VARIABLE.matcher(name).matches()) {
            entry.problemAtKey("a variable's name has letters, digits and _ only");
          } else if (name.startsWith("WEFT_")) {
            entry.problemAtKey("names that start with WEFT_ are set by Weft itself");
          } else {
            argument(entry, "a text").ifPresent(text -> variables.put(name, text));
          }
        });
    return variables;
  }

  private Optional<String> argument(Value value, String expected) {
    Optional<String> text = value.text(expected);
    Matcher matcher = PLACEHOLDER.matcher(text.orElse(""));
    while (matcher.find()) {
      if (!placeholders.contains(matcher.group(1))) {
        value.problem(matcher.group() + " has no value here: " + input + " (see docs/job-file.md)");
        return Optional.empty();
      }
    }
    return text.flatMap(found -> withResults(value, found));
  }

  /** The text with names of files in place of what the job file calls the results in them. */
  private Optional<String> withResults(Value value, String text) {
    Matcher matcher = RESULT.matcher(text);
    StringBuilder replaced = new StringBuilder();
    while (matcher.find()) {
      String name = results.get(matcher.group(1));
      if (name == null) {
        value.problem(
            matcher.group()
                + " has no value here: 'files' has no such result (see docs/job-file.md)");
        return Optional.empty();
      }
      matcher.appendReplacement(replaced, Matcher.quoteReplacement(name));
    }
    return Optional.of(matcher.appendTail(replaced).toString());
  }

  private boolean fits(List<String> arguments, Map<String, String> environment) {
    int bytes = Command.bytes(arguments, environment);
    if (bytes > Command.MAXIMUM_BYTES) {
      Optional<Value> place = section.get("command").or(() -> section.get("environment"));
      place
          .orElseThrow()
          .problem(
              "arguments and environment have "
                  + bytes
                  + " bytes, at most "
                  + Command.MAXIMUM_BYTES
                  + "; put long text into a file under 'files'");
      return false;
    }
    return true;
  }
}
