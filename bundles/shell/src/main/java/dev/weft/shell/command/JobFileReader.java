package dev.weft.shell.command;

import dev.weft.core.job.JobSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads a job file where its user is: bounded, and UTF-8 or nothing. */
public final class JobFileReader {
  /** Most bytes of a job file: every character may take four. */
  public static final int MAXIMUM_BYTES = 4 * JobSource.MAXIMUM_CHARACTERS;

  /** Name of standard input. */
  public static final String STANDARD_INPUT = "-";

  private final Path folder;
  private final InputStream input;
  private final String submitter;

  /**
   * A reader.
   *
   * @param folder current folder, absolute
   * @param input standard input
   * @param submitter who uses it
   */
  public JobFileReader(Path folder, InputStream input, String submitter) {
    this.folder = folder;
    this.input = input;
    this.submitter = submitter(submitter);
  }

  /** The name of a user as jobs keep it: cut, and never empty. */
  public static String submitter(String user) {
    String name = user.isEmpty() ? "unknown" : user;
    return name.length() > JobSource.MAXIMUM_SUBMITTER
        ? name.substring(0, JobSource.MAXIMUM_SUBMITTER)
        : name;
  }

  /**
   * Reads a job file.
   *
   * @param name path, or {@code -} for standard input
   * @throws CommandException if it cannot be read or cannot be a job file
   */
  public JobSource read(String name) throws CommandException {
    boolean standardInput = name.equals(STANDARD_INPUT);
    String title = standardInput ? "standard input" : name;
    try {
      if (standardInput) {
        return source(name, title, input.readNBytes(MAXIMUM_BYTES + 1), folder);
      }
      Path file = folder.resolve(name).toAbsolutePath().normalize();
      if (Files.isDirectory(file)) {
        throw new CommandException(name + " is a folder: name the job file in it");
      }
      try (InputStream bytes = Files.newInputStream(file)) {
        return source(name, title, bytes.readNBytes(MAXIMUM_BYTES + 1), file.getParent());
      }
    } catch (NoSuchFileException | InvalidPathException e) {
      throw new CommandException("there is no job file " + name);
    } catch (IOException e) {
      throw new CommandException("cannot read " + title + ": " + e.getMessage());
    }
  }

  private JobSource source(String name, String title, byte[] bytes, Path folder)
      throws CommandException {
    if (bytes.length > MAXIMUM_BYTES) {
      throw tooLong(title);
    }
    return new JobSource(name, decode(title, bytes), folder, submitter);
  }

  /**
   * The text of a job file.
   *
   * @param title what to call it in messages
   * @throws CommandException if it is not UTF-8 or too long
   */
  public static String decode(String title, byte[] bytes) throws CommandException {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new CommandException(title + " is not UTF-8 text: save the job file in UTF-8");
    }
    if (text.length() > JobSource.MAXIMUM_CHARACTERS) {
      throw tooLong(title);
    }
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  private static CommandException tooLong(String title) {
    return new CommandException(
        title
            + " is too long for a job file: at most "
            + JobSource.MAXIMUM_CHARACTERS
            + " characters; put data into files that the job names");
  }
}
