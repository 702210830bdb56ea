package dev.weft.bus;

import dev.weft.api.Fault;
import dev.weft.api.NodeId;

/**
 * What requests fail with, as {@code docs/protocol.md} lists it. A code that begins with {@code
 * peer.} leaves open whether the request was handled; any other says that it was not.
 */
final class BusFaults {
  private BusFaults() {}

  static Fault full() {
    return new Fault(
        "bus.full",
        Fault.Category.RESOURCES,
        "too many requests are under way; try again later",
        true);
  }

  static Fault silent(NodeId peer) {
    return external("peer.silent", "node " + peer + " did not answer in time");
  }

  static Fault down(NodeId peer) {
    return external("peer.down", "node " + peer + " cannot be reached");
  }

  static Fault restarted(NodeId peer) {
    return external("peer.restarted", "node " + peer + " has restarted");
  }

  static Fault left() {
    return external("peer.left", "it said goodbye");
  }

  static Fault notHeard(long milliseconds) {
    return external("peer.silent", "not heard for " + milliseconds + " ms");
  }

  static Fault stale() {
    return external(
        "peer.stale", "the request came too late to tell whether it was handled before; ask again");
  }

  private static Fault external(String code, String message) {
    return new Fault(code, Fault.Category.EXTERNAL, message, true);
  }

  static Fault tooLong(String kind, int length, int maximum) {
    return new Fault(
        "message.too-long",
        Fault.Category.INTERNAL,
        "a "
            + kind
            + " of "
            + length
            + " bytes does not fit one message of at most "
            + maximum
            + "; split it",
        false);
  }

  static Fault unserved(String kind) {
    return new Fault(
        "message.unserved", Fault.Category.RESOURCES, "nobody on this node serves " + kind, true);
  }

  static Fault unknown(String reason) {
    return new Fault("message.unknown", Fault.Category.EXTERNAL, reason, false);
  }

  static Fault unreadable() {
    return external(
        "peer.unreadable", "the answer cannot be read; do both nodes run the same version?");
  }

  static Fault handlerFailed(String kind) {
    return external("peer.failed", "the node failed at handling a " + kind + "; its log says why");
  }

  static Fault answerTooLong(String kind) {
    return external("peer.too-long", "the answer, a " + kind + ", does not fit one message");
  }
}
