package dev.weft.api.bus;

import dev.weft.api.NodeId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * All that a node says of itself to strangers. The short id is salted, so that only who knows the
 * node recognises it.
 *
 * @param salt 8 hexadecimal digits, drawn at each start
 * @param shortId first 8 hexadecimal digits of SHA-256 over salt and node id
 * @param roles at least one
 * @param protocol version of the bus protocol
 * @param port port of the node's transport, 1 to 65535
 * @param hostLabel random label, 1 to 63 characters of {@code a-z0-9-}
 */
public record Announcement(
    String salt, String shortId, Set<Role> roles, int protocol, int port, String hostLabel) {
  private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{8}");
  private static final Pattern LABEL = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

  /** Copies and checks. */
  public Announcement {
    roles = Set.copyOf(roles);
    Objects.requireNonNull(salt, "salt");
    Objects.requireNonNull(shortId, "shortId");
    if (!DIGITS.matcher(salt).matches() || !DIGITS.matcher(shortId).matches()) {
      throw new IllegalArgumentException("salt and short id must have 8 hexadecimal digits each");
    }
    if (roles.isEmpty()) {
      throw new IllegalArgumentException("at least one role");
    }
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException("not a port: " + port);
    }
    if (!LABEL.matcher(hostLabel).matches()) {
      throw new IllegalArgumentException("not a host label: '" + hostLabel + "'");
    }
  }

  /** Whether this could be the announcement of a node; false positives are one in four billion. */
  public boolean isOf(NodeId node) {
    return shortId.equals(shortId(salt, node));
  }

  /** The short id that a node shows under a salt. */
  public static String shortId(String salt, NodeId node) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest((salt + node.hex()).getBytes(StandardCharsets.US_ASCII));
      return HexFormat.of().formatHex(hash, 0, 4);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
