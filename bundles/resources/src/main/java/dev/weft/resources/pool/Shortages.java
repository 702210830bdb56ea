package dev.weft.resources.pool;

import dev.weft.api.Amount;
import dev.weft.api.Environment;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import dev.weft.api.Resources.Lack;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** What no node has enough of. */
final class Shortages {
  private final Optional<Cell> root;

  Shortages(Optional<Cell> root) {
    this.root = root;
  }

  /** One entry for each amount wanted of which no node alone has as much. */
  List<Lack> of(Resources demand) {
    List<Lack> lacks = new ArrayList<>();
    for (Map.Entry<Environment, Amount> entry : demand.perEnvironment().entrySet()) {
      Environment environment = entry.getKey();
      Amount wanted = entry.getValue();
      wanted.forEach(
          (type, value) -> {
            long most = root.map(cell -> most(cell, environment, type, wanted)).orElse(0L);
            if (most < value && !(type.equals(ResourceType.GPU_MEMORY) && noDevice(wanted))) {
              lacks.add(new Lack(environment, type, value, most));
            }
          });
    }
    return lacks;
  }

  private static boolean noDevice(Amount wanted) {
    return wanted.get(ResourceType.GPU) == 0;
  }

  /** The most that one node can give. */
  private static long most(Cell root, Environment environment, ResourceType type, Amount wanted) {
    if (environment.equals(Environment.REE)) {
      if (type.equals(ResourceType.CPU)) {
        return root.cpu;
      }
      if (type.equals(ResourceType.MEMORY)) {
        return root.memory;
      }
    }
    return most(
        root,
        bound(environment, type),
        entry -> entry.node.free().in(environment).available(type, wanted),
        0);
  }

  private static ToLongFunction<Cell> bound(Environment environment, ResourceType type) {
    if (type.isGpuDevice() || type.isGpuDeviceMemory()) {
      return cell -> Long.MAX_VALUE; // named by hand; no bound is kept
    }
    if (environment.equals(Environment.REE)) {
      if (type.equals(ResourceType.GPU)) {
        return cell -> cell.gpu;
      }
      if (type.equals(ResourceType.GPU_MEMORY)) {
        return cell -> cell.gpuMemory;
      }
    }
    int slot = Traits.slot(environment, type);
    return cell -> cell.rare.length == 0 ? 0 : cell.rare[slot];
  }

  /** The most in a cell, if it is more than was found elsewhere. */
  private static long most(
      Cell cell, ToLongFunction<Cell> bound, ToLongFunction<Entry> exact, long found) {
    if (bound.applyAsLong(cell) <= found) {
      return found;
    }
    if (!(cell instanceof Branch branch)) {
      return Math.max(found, exact.applyAsLong((Entry) cell));
    }
    boolean zeroFirst = bound.applyAsLong(branch.zero) >= bound.applyAsLong(branch.one);
    long first = most(zeroFirst ? branch.zero : branch.one, bound, exact, found);
    return most(zeroFirst ? branch.one : branch.zero, bound, exact, first);
  }
}
