package dev.weft.api;

/**
 * The stable name of a node: the SHA-256 hash of its public key (X.509 encoding), in hexadecimal.
 *
 * @param hex 64 lower-case hexadecimal digits
 */
public record NodeId(String hex) implements Comparable<NodeId> {
  /** Number of hexadecimal digits. */
  public static final int LENGTH = 64;

  /** Checks the form. */
  public NodeId {
    HexId.check(hex, LENGTH, "node id");
  }

  /** The first 8 digits, as shown to people. */
  public String shortForm() {
    return hex.substring(0, HexId.SHORT_LENGTH);
  }

  @Override
  public int compareTo(NodeId other) {
    return hex.compareTo(other.hex);
  }

  @Override
  public String toString() {
    return shortForm();
  }
}
