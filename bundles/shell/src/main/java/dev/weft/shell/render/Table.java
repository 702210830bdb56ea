package dev.weft.shell.render;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows under headings, each column as wide as its widest cell, two spaces between them. The last
 * column is not padded and never cut, so that nothing is lost and lines can be processed further.
 */
public final class Table {
  private static final String GAP = "  ";

  private final List<Column> columns;
  private final List<List<String>> rows = new ArrayList<>();

  private Table(List<Column> columns) {
    this.columns = columns;
  }

  /**
   * A table without rows.
   *
   * @param headings of the columns; one that starts with {@code >} is aligned to the right
   */
  public static Table of(String... headings) {
    List<Column> columns = new ArrayList<>();
    for (String heading : headings) {
      boolean right = heading.startsWith(">");
      columns.add(new Column(right ? heading.substring(1) : heading, right));
    }
    return new Table(columns);
  }

  /** Adds a row; control characters in it become question marks. */
  public Table row(String... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(columns.size() + " cells, not " + cells.length);
    }
    List<String> row = new ArrayList<>();
    for (String cell : cells) {
      row.add(cell.isEmpty() ? "-" : Text.clean(cell));
    }
    rows.add(row);
    return this;
  }

  /** Whether there is no row. */
  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /**
   * The table as text, each line ended.
   *
   * @param ansi whether headings are printed bold
   */
  public String render(boolean ansi) {
    int[] widths = new int[columns.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = width(columns.get(i).heading());
      for (List<String> row : rows) {
        widths[i] = Math.max(widths[i], width(row.get(i)));
      }
    }
    StringBuilder text = new StringBuilder();
    String headings = line(columns.stream().map(Column::heading).toList(), widths);
    text.append(ansi ? "\u001b[1m" + headings + "\u001b[0m" : headings).append('\n');
    for (List<String> row : rows) {
      text.append(line(row, widths)).append('\n');
    }
    return text.toString();
  }

  private String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      String padding = " ".repeat(widths[i] - width(cell));
      boolean last = i == cells.size() - 1;
      line.append(i == 0 ? "" : GAP);
      if (columns.get(i).right()) {
        line.append(padding).append(cell);
      } else {
        line.append(cell).append(last ? "" : padding);
      }
    }
    return line.toString();
  }

  private static int width(String cell) {
    return cell.codePointCount(0, cell.length());
  }

  private record Column(String heading, boolean right) {}
}
