package dev.weft.shell.command;

/** A command that reads a job file, which the client sends along. */
public interface ReadsJobFile {
  /** Path as the user gave it, or {@code -} for standard input. */
  String jobFile();
}
