package dev.weft.resources.pool;

import dev.weft.api.Demand;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the first node in the order that fits. Cells are opened in the order of their first nodes,
 * and only if a node of them may fit: so no cell is opened whose first node comes after the answer.
 */
final class Search {
  private static final int USUAL_CELLS = 64;

  private final Want want;
  private final Set<NodeId> excluded;

  // A heap: the cell whose first node comes first is at the top.
  private Cell[] cells = new Cell[USUAL_CELLS];
  private int size;

  private Search(Want want, Set<NodeId> excluded) {
    this.want = want;
    this.excluded = excluded;
  }

  /** The first entry that fits and is not excluded. */
  static Optional<Entry> first(Cell root, Want want, Set<NodeId> excluded) {
    if (!want.mayFit(root)) {
      return Optional.empty();
    }
    Search search = new Search(want, excluded);
    search.push(root);
    return search.run();
  }

  /** The first entries, whatever they have free. */
  static List<Entry> first(Cell root, int count) {
    Search search = new Search(new Want(Demand.of(Resources.NONE)), Set.of());
    List<Entry> found = new ArrayList<>();
    search.push(root);
    while (search.size > 0 && found.size() < count) {
      Cell cell = search.pop();
      if (cell instanceof Branch branch) {
        search.push(branch.zero);
        search.push(branch.one);
      } else {
        found.add(cell.first());
      }
    }
    return found;
  }

  private Optional<Entry> run() {
    while (size > 0) {
      Cell cell = pop();
      Entry first = cell.first();
      if (want.fits(first) && !excluded.contains(first.id())) {
        return Optional.of(first);
      }
      if (cell instanceof Branch branch) {
        pushIfMayFit(branch.zero);
        pushIfMayFit(branch.one);
      }
    }
    return Optional.empty();
  }

  private void pushIfMayFit(Cell cell) {
    if (want.mayFit(cell)) {
      push(cell);
    }
  }

  private void push(Cell cell) {
    if (size == cells.length) {
      cells = Arrays.copyOf(cells, 2 * size);
    }
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) / 2;
      if (!cell.isBefore(cells[parent])) {
        break;
      }
      cells[at] = cells[parent];
      at = parent;
    }
    cells[at] = cell;
  }

  private Cell pop() {
    Cell top = cells[0];
    Cell last = cells[--size];
    int at = 0;
    for (int child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && cells[child + 1].isBefore(cells[child])) {
        child++;
      }
      if (!cells[child].isBefore(last)) {
        break;
      }
      cells[at] = cells[child];
      at = child;
    }
    cells[at] = last;
    return top;
  }
}
