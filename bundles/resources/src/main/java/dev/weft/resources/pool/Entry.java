package dev.weft.resources.pool;

import dev.weft.api.NodeId;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import dev.weft.api.policy.NodeOrder;
import dev.weft.api.policy.NodeView;

/**
 * One node, its bounds, which are exact but for what is rare, and its place: first whether it has
 * anything rare, then what it has free of processors, memory and graphics processors, their bits in
 * turn from the highest, then its id. So nodes with like amounts lie together, and the bounds of a
 * cell are close to what its nodes really have, whatever the order.
 */
final class Entry extends Cell {
  private static final int PLACE_BITS = Long.SIZE;
  private static final int DIGIT_BITS = 4;

  // A float without sign and with its exponent counted from 1 grows with its value; the 15 highest
  // bits of the fraction are enough.
  private static final int ONE = Float.floatToRawIntBits(1);
  private static final int FRACTION_DROPPED = 8;

  final NodeView node;
  private final long place;
  private final long totalCpu;
  private final long totalMemory;

  private Entry(NodeView node, double rank, Bounds bounds) {
    super(
        rank,
        bounds.cpu(),
        bounds.memory(),
        bounds.gpu(),
        bounds.gpuMemory(),
        Traits.labels(node.labels()),
        bounds.rare());
    this.node = node;
    this.totalCpu = total(node.free(), ResourceType.CPU, cpu);
    this.totalMemory = total(node.free(), ResourceType.MEMORY, memory);
    this.place = place();
  }

  static Entry of(NodeView node, NodeOrder order) {
    return new Entry(node, order.rank(node.free()), Bounds.of(node.free()));
  }

  private static long total(Resources free, ResourceType type, long ordinary) {
    return free.perEnvironment().size() == 1 && ordinary > 0 ? ordinary : free.total(type);
  }

  private long place() {
    long spread = spread(scale(cpu)) << 2 | spread(scale(memory)) << 1 | spread(scale(gpu));
    return rare.length == 0 ? spread : spread | Long.MIN_VALUE;
  }

  /** A number of 21 bits that grows with the logarithm of the amount. */
  private static long scale(long amount) {
    return amount == 0
        ? 0
        : 1 + ((Float.floatToRawIntBits((float) amount) - ONE) >>> FRACTION_DROPPED);
  }

  /** Puts two zeros before each of the lowest 21 bits. */
  private static long spread(long bits) {
    long x = bits & 0x1fffffL;
    x = (x | x << 32) & 0x1f00000000ffffL;
    x = (x | x << 16) & 0x1f0000ff0000ffL;
    x = (x | x << 8) & 0x100f00f00f00f00fL;
    x = (x | x << 4) & 0x10c30c30c30c30c3L;
    return (x | x << 2) & 0x1249249249249249L;
  }

  NodeId id() {
    return node.id();
  }

  @Override
  Entry first() {
    return this;
  }

  /** A bit of the place. */
  int bit(int at) {
    if (at < PLACE_BITS) {
      return (int) (place >>> (PLACE_BITS - 1 - at)) & 1;
    }
    int inId = at - PLACE_BITS;
    return digit(inId / DIGIT_BITS) >>> (DIGIT_BITS - 1 - inId % DIGIT_BITS) & 1;
  }

  private int digit(int at) {
    return Character.digit(node.id().hex().charAt(at), 16);
  }

  /** The first bit in which the places of two entries differ; the largest number if in none. */
  int firstDifference(Entry other) {
    if (place != other.place) {
      return Long.numberOfLeadingZeros(place ^ other.place);
    }
    int at = IdTree.firstDifference(id(), other.id());
    return at == NodeId.LENGTH
        ? Integer.MAX_VALUE
        : PLACE_BITS
            + DIGIT_BITS * at
            + Integer.numberOfLeadingZeros(digit(at) ^ other.digit(at))
            - (Integer.SIZE - DIGIT_BITS);
  }

  /** The order of A3; negative if {@code one} comes first. */
  static int compare(Entry one, Entry other) {
    int order = Double.compare(other.rank, one.rank);
    if (order == 0) {
      order = Long.compare(other.totalCpu, one.totalCpu);
    }
    if (order == 0) {
      order = Long.compare(other.totalMemory, one.totalMemory);
    }
    return order != 0 ? order : one.id().compareTo(other.id());
  }
}
