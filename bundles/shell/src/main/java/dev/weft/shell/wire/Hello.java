package dev.weft.shell.wire;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a client says first: what its user typed and where.
 *
 * @param arguments what stands after the name of the program, at most {@link #MAXIMUM_ARGUMENTS}
 * @param folder current folder of the client, absolute
 * @param screen its terminal
 * @param zone id of its time zone
 * @param jobFile the job file whose text follows in {@link Frame.Kind#FILE} frames
 */
public record Hello(
    List<String> arguments, String folder, Screen screen, String zone, Optional<JobFile> jobFile) {
  /** Version of the protocol; both ends must have the same. */
  public static final int VERSION = 1;

  /** Most arguments. */
  public static final int MAXIMUM_ARGUMENTS = 1_024;

  private static final int FIXED_TEXTS = 5;
  private static final int INPUT_TERMINAL = 1;
  private static final int OUTPUT_TERMINAL = 2;
  private static final int ERRORS_TERMINAL = 4;
  private static final int COLOR = 8;

  /** Copies and checks. */
  public Hello {
    arguments = List.copyOf(arguments);
    Objects.requireNonNull(folder, "folder");
    Objects.requireNonNull(screen, "screen");
    Objects.requireNonNull(zone, "zone");
    Objects.requireNonNull(jobFile, "jobFile");
  }

  /**
   * The terminal of a client.
   *
   * @param inputTerminal whether its standard input is one
   * @param outputTerminal whether its standard output is one
   * @param errorsTerminal whether its standard error is one
   * @param color whether colours are wanted
   * @param columns width, in characters
   * @param rows height, in lines
   * @param type as in the variable TERM
   */
  public record Screen(
      boolean inputTerminal,
      boolean outputTerminal,
      boolean errorsTerminal,
      boolean color,
      int columns,
      int rows,
      String type) {
    /** Checks. */
    public Screen {
      Objects.requireNonNull(type, "type");
    }
  }

  /**
   * Name of a job file and the folder that relative paths in it start from.
   *
   * @param name as its user gave it
   * @param folder absolute
   */
  public record JobFile(String name, String folder) {
    /** Checks. */
    public JobFile {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(folder, "folder");
    }
  }

  /**
   * The frame to send.
   *
   * @throws FrameException if it is too long
   */
  public Frame toFrame() throws FrameException {
    List<byte[]> texts = new ArrayList<>();
    for (String text : List.of(folder, screen.type(), zone)) {
      texts.add(text.getBytes(StandardCharsets.UTF_8));
    }
    texts.add(jobFile.map(JobFile::name).orElse("").getBytes(StandardCharsets.UTF_8));
    texts.add(jobFile.map(JobFile::folder).orElse("").getBytes(StandardCharsets.UTF_8));
    for (String argument : arguments) {
      texts.add(argument.getBytes(StandardCharsets.UTF_8));
    }
    long length = 4 * 5L;
    for (byte[] text : texts) {
      length += 4L + text.length;
    }
    if (length > Frame.MAXIMUM_PAYLOAD || arguments.size() > MAXIMUM_ARGUMENTS) {
      throw new FrameException(
          "the arguments are too long: at most "
              + MAXIMUM_ARGUMENTS
              + " with about "
              + Frame.MAXIMUM_PAYLOAD / 1024
              + " KiB together");
    }
    ByteBuffer buffer = ByteBuffer.allocate((int) length);
    buffer.putInt(VERSION).putInt(flags()).putInt(screen.columns()).putInt(screen.rows());
    buffer.putInt(texts.size());
    for (byte[] text : texts) {
      buffer.putInt(text.length).put(text);
    }
    return new Frame(Frame.Kind.HELLO, buffer.array());
  }

  private int flags() {
    return (screen.inputTerminal() ? INPUT_TERMINAL : 0)
        | (screen.outputTerminal() ? OUTPUT_TERMINAL : 0)
        | (screen.errorsTerminal() ? ERRORS_TERMINAL : 0)
        | (screen.color() ? COLOR : 0);
  }

  /**
   * Reads a frame.
   *
   * @throws FrameException if it is not a hello of this version
   */
  public static Hello of(Frame frame) throws FrameException {
    if (frame.kind() != Frame.Kind.HELLO) {
      throw new FrameException("the first frame must be a hello, not " + frame.kind());
    }
    ByteBuffer buffer = ByteBuffer.wrap(frame.payload());
    try {
      int version = buffer.getInt();
      if (version != VERSION) {
        throw new FrameException(
            "client and manager are of different versions (protocol "
                + version
                + " and "
                + VERSION
                + "): use the 'weft' that the manager was started with");
      }
      int flags = buffer.getInt();
      int columns = buffer.getInt();
      int rows = buffer.getInt();
      List<String> texts = texts(buffer);
      Screen screen =
          new Screen(
              (flags & INPUT_TERMINAL) != 0,
              (flags & OUTPUT_TERMINAL) != 0,
              (flags & ERRORS_TERMINAL) != 0,
              (flags & COLOR) != 0,
              columns,
              rows,
              texts.get(1));
      Optional<JobFile> file =
          texts.get(3).isEmpty()
              ? Optional.empty()
              : Optional.of(new JobFile(texts.get(3), texts.get(4)));
      return new Hello(
          texts.subList(FIXED_TEXTS, texts.size()), texts.get(0), screen, texts.get(2), file);
    } catch (BufferUnderflowException e) {
      throw new FrameException("the hello is cut short");
    }
  }

  private static List<String> texts(ByteBuffer buffer) throws FrameException {
    int count = buffer.getInt();
    if (count < FIXED_TEXTS || count > MAXIMUM_ARGUMENTS + FIXED_TEXTS) {
      throw new FrameException("a hello with " + count + " texts");
    }
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int length = buffer.getInt();
      if (length < 0 || length > buffer.remaining()) {
        throw new FrameException("the hello is cut short");
      }
      byte[] bytes = new byte[length];
      buffer.get(bytes);
      texts.add(new String(bytes, StandardCharsets.UTF_8));
    }
    return texts;
  }
}
