package dev.weft.resources.pool;

/**
 * Nodes that lie together, and the most that any of them has free of each thing: a demand that is
 * not below these bounds fits none of them. A cell is one node ({@link Entry}) or two cells ({@link
 * Branch}).
 */
abstract sealed class Cell permits Entry, Branch {
  /** Rank of the first node in the order. */
  final double rank;

  /** In the ordinary environment. */
  final long cpu;

  /** In the ordinary environment. */
  final long memory;

  /** Thousandths: of whole devices together if there is one, else of the best part of a device. */
  final long gpu;

  /** Of the best device, whatever is left of its share. */
  final long gpuMemory;

  /** Bits of the labels that any node has ({@link Traits}). */
  final long labels;

  /** All that is rare, such as trusted environments ({@link Traits}). */
  final long[] rare;

  Cell(double rank, long cpu, long memory, long gpu, long gpuMemory, long labels, long[] rare) {
    this.rank = rank;
    this.cpu = cpu;
    this.memory = memory;
    this.gpu = gpu;
    this.gpuMemory = gpuMemory;
    this.labels = labels;
    this.rare = rare;
  }

  /** The first node in the order. */
  abstract Entry first();

  /** Whether the first node of this cell comes before that of another. */
  final boolean isBefore(Cell other) {
    return rank > other.rank || (!(rank < other.rank) && Entry.compare(first(), other.first()) < 0);
  }
}
