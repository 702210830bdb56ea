package dev.weft.resources.pool;

import dev.weft.api.NodeId;
import dev.weft.api.policy.NodeView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * Entries by id: a persistent tree of hexadecimal digits, in which a digit that does not part any
 * two ids has no level. A child is an {@link Entry} or a deeper tree.
 */
final class IdTree {
  private final int position;
  private final int present;
  private final Object[] children;

  private IdTree(int position, int present, Object[] children) {
    this.position = position;
    this.present = present;
    this.children = children;
  }

  /** Where two ids differ first; their length if nowhere. */
  static int firstDifference(NodeId one, NodeId other) {
    String left = one.hex();
    String right = other.hex();
    int at = 0;
    while (at < NodeId.LENGTH && left.charAt(at) == right.charAt(at)) {
      at++;
    }
    return at;
  }

  private static int digit(NodeId id, int position) {
    return Character.digit(id.hex().charAt(position), 16);
  }

  private int index(int digit) {
    return Integer.bitCount(present & (1 << digit) - 1);
  }

  private boolean has(int digit) {
    return (present & 1 << digit) != 0;
  }

  /** The entry with the id below a tree or entry; null if there is none. */
  static Entry get(Object root, NodeId id) {
    Object at = root;
    while (at instanceof IdTree tree) {
      int digit = digit(id, tree.position);
      if (!tree.has(digit)) {
        return null;
      }
      at = tree.children[tree.index(digit)];
    }
    Entry entry = (Entry) at;
    return entry != null && entry.id().equals(id) ? entry : null;
  }

  /** A tree or entry with an entry put or replaced. */
  static Object put(Object root, Entry entry) {
    if (root == null) {
      return entry;
    }
    Object at = root;
    while (at instanceof IdTree tree) {
      int digit = digit(entry.id(), tree.position);
      at = tree.children[tree.has(digit) ? tree.index(digit) : 0];
    }
    return put(root, entry, (Entry) at, firstDifference(entry.id(), ((Entry) at).id()));
  }

  private static Object put(Object at, Entry entry, Entry like, int difference) {
    if (at instanceof IdTree tree && tree.position <= difference) {
      int digit = digit(entry.id(), tree.position);
      int index = tree.index(digit);
      return tree.has(digit)
          ? tree.replaced(index, put(tree.children[index], entry, like, difference))
          : tree.inserted(digit, index, entry);
    }
    if (difference == NodeId.LENGTH) {
      return entry;
    }
    int mine = digit(entry.id(), difference);
    int theirs = digit(like.id(), difference);
    Object[] both = mine < theirs ? new Object[] {entry, at} : new Object[] {at, entry};
    return new IdTree(difference, 1 << mine | 1 << theirs, both);
  }

  private IdTree replaced(int index, Object child) {
    Object[] copy = children.clone();
    copy[index] = child;
    return new IdTree(position, present, copy);
  }

  private IdTree inserted(int digit, int index, Object child) {
    Object[] copy = new Object[children.length + 1];
    System.arraycopy(children, 0, copy, 0, index);
    copy[index] = child;
    System.arraycopy(children, index, copy, index + 1, children.length - index);
    return new IdTree(position, present | 1 << digit, copy);
  }

  /** A tree or entry without the entry of an id that is in it; null if nothing is left. */
  static Object remove(Object at, NodeId id) {
    if (!(at instanceof IdTree tree)) {
      return null;
    }
    int digit = digit(id, tree.position);
    int index = tree.index(digit);
    Object left = remove(tree.children[index], id);
    if (left != null) {
      return tree.replaced(index, left);
    }
    if (tree.children.length == 2) {
      return tree.children[1 - index];
    }
    Object[] copy = new Object[tree.children.length - 1];
    System.arraycopy(tree.children, 0, copy, 0, index);
    System.arraycopy(tree.children, index + 1, copy, index, copy.length - index);
    return new IdTree(tree.position, tree.present & ~(1 << digit), copy);
  }

  /** The nodes of a tree or entry in order of id. */
  static Iterator<NodeView> iterator(Object root) {
    Deque<Object> open = new ArrayDeque<>();
    if (root != null) {
      open.push(root);
    }
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return !open.isEmpty();
      }

      @Override
      public NodeView next() {
        Object at = open.pop();
        while (at instanceof IdTree tree) {
          for (int i = tree.children.length - 1; i >= 0; i--) {
            open.push(tree.children[i]);
          }
          at = open.pop();
        }
        return ((Entry) at).node;
      }
    };
  }
}
