package dev.weft.shell.command;

import java.time.ZoneId;
import java.util.Objects;

/**
 * What the user of a command sees it on.
 *
 * @param inputTerminal whether standard input is a terminal
 * @param outputTerminal whether standard output is a terminal
 * @param errorsTerminal whether standard error is a terminal
 * @param color whether colours are wanted
 * @param columns width of the terminal, in characters
 * @param rows height of the terminal, in lines
 * @param type kind of terminal, as in the variable TERM
 * @param zone the user's time zone
 */
public record Display(
    boolean inputTerminal,
    boolean outputTerminal,
    boolean errorsTerminal,
    boolean color,
    int columns,
    int rows,
    String type,
    ZoneId zone) {
  private static final int SMALLEST = 20;
  private static final int LARGEST = 10_000;
  private static final int USUAL_COLUMNS = 80;
  private static final int USUAL_ROWS = 24;

  /** Checks; a size that cannot be is replaced by the usual one. */
  public Display {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(zone, "zone");
    columns = columns < SMALLEST || columns > LARGEST ? USUAL_COLUMNS : columns;
    rows = rows < 2 || rows > LARGEST ? USUAL_ROWS : rows;
  }

  /** Whether control sequences may go to standard output. */
  public boolean ansi() {
    return outputTerminal && color;
  }

  /** The same with another size. */
  public Display resized(int newColumns, int newRows) {
    return new Display(
        inputTerminal, outputTerminal, errorsTerminal, color, newColumns, newRows, type, zone);
  }
}
