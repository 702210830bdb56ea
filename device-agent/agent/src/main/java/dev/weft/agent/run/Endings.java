package dev.weft.agent.run;

import dev.weft.api.Fault;
import dev.weft.api.Quantity;
import dev.weft.api.execution.Executor.Ending;
import dev.weft.core.message.Outcome;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/** Says what an ending that is no success means for the task. */
final class Endings {
  /** Most bytes of standard error that go with an outcome. */
  static final int MAXIMUM_TAIL = 4_096;

  private static final int SIGNAL_CODES = 128;
  private static final int MAXIMUM_LINE = 200;

  private Endings() {}

  /**
   * The outcome of an ending other than exit code 0.
   *
   * @param errors file with the standard error; need not exist
   */
  static Outcome failure(Ending ending, Path errors) {
    if (ending instanceof Ending.Stopped) {
      return new Outcome.Stopped("stopped");
    }
    String tail = tail(errors);
    if (ending instanceof Ending.Exited exited) {
      String line = lastLine(tail);
      String message = "exit code " + exited.code() + (line.isEmpty() ? "" : ": " + line);
      return failed("command.failed", message, true, OptionalInt.of(exited.code()), tail);
    }
    if (ending instanceof Ending.Signalled signalled) {
      return failed(
          "command.signalled",
          "ended by signal " + signalled.signal() + ", which Weft did not send",
          true,
          OptionalInt.of(SIGNAL_CODES + signalled.signal()),
          tail);
    }
    if (ending instanceof Ending.TimedOut timedOut) {
      return failed(
          "command.timeout",
          "ran longer than its limit of "
              + timedOut.limit().toMillis() / 1000.0
              + " s; raise the time limit or split the input finer",
          true,
          OptionalInt.empty(),
          tail);
    }
    if (ending instanceof Ending.TooMuchOutput tooMuch) {
      return failed(
          "command.output",
          "wrote more than " + Quantity.bytes(tooMuch.limit()) + " to its standard output",
          false,
          OptionalInt.empty(),
          tail);
    }
    return failed(
        "command.not-started",
        ((Ending.NotStarted) ending).reason(),
        true,
        OptionalInt.empty(),
        tail);
  }

  private static Outcome failed(
      String code, String message, boolean retry, OptionalInt exitCode, String tail) {
    return new Outcome.Failed(new Fault(code, Fault.Category.USER, message, retry), exitCode, tail);
  }

  private static String tail(Path errors) {
    try {
      return FileTail.text(errors, MAXIMUM_TAIL);
    } catch (NoSuchFileException e) {
      return "";
    } catch (IOException e) {
      return "(standard error cannot be read: " + e + ")";
    }
  }

  private static String lastLine(String tail) {
    List<String> lines = tail.lines().filter(line -> !line.isBlank()).toList();
    String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1).strip();
    return last.length() > MAXIMUM_LINE ? last.substring(0, MAXIMUM_LINE) + "…" : last;
  }
}
