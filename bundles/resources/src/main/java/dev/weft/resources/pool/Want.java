package dev.weft.resources.pool;

import dev.weft.api.Demand;
import dev.weft.api.Resources;
import dev.weft.api.policy.Refusal;
import java.util.Map;

/** A demand made ready to be compared with many cells. */
final class Want {
  private final Demand demand;
  private final Bounds bounds;
  private final long labels;

  /** Whether the bounds of a node say all that there is to know. */
  private final boolean exact;

  Want(Demand demand) {
    this.demand = demand;
    this.bounds = Bounds.wanted(demand.resources());
    this.labels = Traits.labels(demand.labels());
    this.exact = demand.labels().isEmpty() && Bounds.sayAll(demand.resources());
  }

  /** Whether a node of the cell may fit. */
  boolean mayFit(Cell cell) {
    return cell.cpu >= bounds.cpu()
        && cell.memory >= bounds.memory()
        && cell.gpu >= bounds.gpu()
        && cell.gpuMemory >= bounds.gpuMemory()
        && (cell.labels & labels) == labels
        && Traits.covers(cell.rare, bounds.rare());
  }

  /** Whether the node fits: the same as no {@link Refusal#check}, without the reason. */
  boolean fits(Entry entry) {
    if (!mayFit(entry)) {
      return false;
    }
    return exact || (hasLabels(entry) && covers(entry.node.free()));
  }

  private boolean hasLabels(Entry entry) {
    for (Map.Entry<String, String> label : demand.labels().entrySet()) {
      if (!label.getValue().equals(entry.node.labels().get(label.getKey()))) {
        return false;
      }
    }
    return true;
  }

  private boolean covers(Resources free) {
    return free.covers(demand.resources());
  }
}
