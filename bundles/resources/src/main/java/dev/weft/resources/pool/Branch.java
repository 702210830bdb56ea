package dev.weft.resources.pool;

/** Two cells: nodes whose places differ first in one bit. */
final class Branch extends Cell {
  /** Where the places of the two cells differ. */
  final int bit;

  final Cell zero;
  final Cell one;
  private final Entry first;

  Branch(int bit, Cell zero, Cell one) {
    this(bit, zero, one, zero.isBefore(one) ? zero : one);
  }

  private Branch(int bit, Cell zero, Cell one, Cell before) {
    super(
        before.rank,
        Math.max(zero.cpu, one.cpu),
        Math.max(zero.memory, one.memory),
        Math.max(zero.gpu, one.gpu),
        Math.max(zero.gpuMemory, one.gpuMemory),
        zero.labels | one.labels,
        Traits.most(zero.rare, one.rare));
    this.bit = bit;
    this.zero = zero;
    this.one = one;
    this.first = before.first();
  }

  @Override
  Entry first() {
    return first;
  }

  private Cell child(Entry entry) {
    return entry.bit(bit) == 0 ? zero : one;
  }

  /** The same with another cell on the side of an entry. */
  private Branch with(Entry entry, Cell child) {
    return entry.bit(bit) == 0 ? new Branch(bit, child, one) : new Branch(bit, zero, child);
  }

  /** A cell with one entry more. */
  static Cell insert(Cell cell, Entry entry) {
    Cell at = cell;
    while (at instanceof Branch branch) {
      at = branch.child(entry);
    }
    return insert(cell, entry, entry.firstDifference((Entry) at));
  }

  private static Cell insert(Cell cell, Entry entry, int difference) {
    if (cell instanceof Branch branch && branch.bit < difference) {
      return branch.with(entry, insert(branch.child(entry), entry, difference));
    }
    return entry.bit(difference) == 0
        ? new Branch(difference, entry, cell)
        : new Branch(difference, cell, entry);
  }

  /** A branch without one of its entries. */
  Cell remove(Entry entry) {
    Cell child = child(entry);
    if (child instanceof Branch branch) {
      return with(entry, branch.remove(entry));
    }
    return child == zero ? one : zero;
  }

  /** A cell with another entry in the place of one that it has. */
  static Cell replace(Cell cell, Entry old, Entry entry) {
    return replace(cell, old, entry, old.firstDifference(entry));
  }

  private static Cell replace(Cell cell, Entry old, Entry entry, int difference) {
    if (!(cell instanceof Branch branch)) {
      return entry;
    }
    if (branch.bit < difference) {
      return branch.with(entry, replace(branch.child(entry), old, entry, difference));
    }
    return insert(branch.remove(old), entry);
  }
}
