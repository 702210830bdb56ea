package dev.weft.staging;

import dev.weft.api.ContentId;
import dev.weft.api.Fault;
import dev.weft.api.Quantity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** The faults of a transfer, each with its one wording. */
final class Faults {
  static final String VANISHED = "staging.vanished";
  static final String MISMATCH = "staging.mismatch";
  static final String DISK = "staging.disk";
  static final String UNREACHABLE = "staging.unreachable";
  static final String UNKNOWN = "staging.unknown";

  private Faults() {}

  static Fault vanished(String file) {
    return new Fault(
        VANISHED,
        Fault.Category.USER,
        "the input file " + file + " is gone; put it back and submit the job again",
        false);
  }

  static Fault mismatch(String file) {
    return new Fault(
        MISMATCH,
        Fault.Category.USER,
        "the input file " + file + " changed since the job was submitted; submit the job again",
        false);
  }

  static Fault resultMismatch(Path file) {
    return new Fault(
        MISMATCH,
        Fault.Category.EXTERNAL,
        "the result "
            + file
            + " changed while it was delivered; does the command leave a process"
            + " behind that writes to it?",
        true);
  }

  static Fault unreadable(Path file, IOException cause) {
    return new Fault(
        VANISHED, Fault.Category.EXTERNAL, file + " cannot be read: " + cause.getMessage(), false);
  }

  static Fault disk(Path file, long free, IOException cause) {
    return new Fault(
        DISK,
        Fault.Category.RESOURCES,
        "cannot write "
            + file
            + ": "
            + cause.getMessage()
            + "; "
            + Quantity.bytes(free)
            + " are free there, make room",
        true);
  }

  static Fault noRoom(Path folder, long free, long wanted) {
    return new Fault(
        DISK,
        Fault.Category.RESOURCES,
        "no room for "
            + Quantity.bytes(wanted)
            + " in "
            + folder
            + ": "
            + Quantity.bytes(free)
            + " are free there, make room",
        true);
  }

  static Fault unreachable(InetSocketAddress address, String reason) {
    return new Fault(
        UNREACHABLE,
        Fault.Category.EXTERNAL,
        "the staging area of the manager at " + address + " cannot be used: " + reason,
        true);
  }

  static Fault interrupted() {
    return new Fault(
        UNREACHABLE, Fault.Category.EXTERNAL, "the transfer was interrupted by a stop", true);
  }

  static Fault unknown(ContentId content) {
    return new Fault(
        UNKNOWN,
        Fault.Category.INTERNAL,
        "the manager does not offer " + content + "; its job has ended or it was restarted",
        false);
  }

  static Fault jobForgotten(String job) {
    return new Fault(
        UNKNOWN,
        Fault.Category.INTERNAL,
        "the manager keeps no results of job " + job + " any more; the job has ended",
        false);
  }
}
