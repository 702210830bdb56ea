package dev.weft.resources.pool;

import dev.weft.api.Environment;
import dev.weft.api.ResourceType;
import java.util.Map;

/**
 * Bounds of what few nodes have, by hash: bits of labels, and a few slots for amounts. Two things
 * may share a bit or a slot; then a bound is higher than it need be, never lower.
 */
final class Traits {
  /** Nothing rare. */
  static final long[] NONE = {};

  private static final int SLOTS = 8;
  private static final int MIX = 0x9e3779b9;

  private Traits() {}

  /** The bits of labels. */
  static long labels(Map<String, String> labels) {
    if (labels.isEmpty()) {
      return 0;
    }
    long bits = 0;
    for (Map.Entry<String, String> label : labels.entrySet()) {
      int hash = mix(31 * label.getKey().hashCode() + label.getValue().hashCode());
      bits |= 1L << (hash & 63) | 1L << (hash >>> 6 & 63);
    }
    return bits;
  }

  private static int mix(int hash) {
    int mixed = hash * MIX;
    return mixed ^ mixed >>> 16;
  }

  static int slot(Environment environment, ResourceType type) {
    return mix(31 * environment.name().hashCode() + type.name().hashCode()) & SLOTS - 1;
  }

  /** The same with at least so much in the slot of a type. */
  static long[] raise(long[] rare, Environment environment, ResourceType type, long value) {
    long[] raised = rare.length == 0 ? new long[SLOTS] : rare;
    int slot = slot(environment, type);
    raised[slot] = Math.max(raised[slot], value);
    return raised;
  }

  /** The larger of each slot; one of the two if that says it, as most cells do. */
  static long[] most(long[] one, long[] other) {
    if (covers(one, other)) {
      return one;
    }
    if (covers(other, one)) {
      return other;
    }
    long[] most = new long[SLOTS];
    for (int i = 0; i < SLOTS; i++) {
      most[i] = Math.max(one[i], other[i]);
    }
    return most;
  }

  /** Whether each slot has as much as is wanted. */
  static boolean covers(long[] rare, long[] wanted) {
    if (rare == wanted || wanted.length == 0) {
      return true;
    }
    if (rare.length == 0) {
      return false; // no slots are made for nothing
    }
    for (int i = 0; i < SLOTS; i++) {
      if (rare[i] < wanted[i]) {
        return false;
      }
    }
    return true;
  }
}
