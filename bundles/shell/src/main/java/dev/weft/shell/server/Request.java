package dev.weft.shell.server;

import dev.weft.core.job.JobSource;
import dev.weft.shell.command.CommandException;
import dev.weft.shell.command.Display;
import dev.weft.shell.command.JobFileReader;
import dev.weft.shell.wire.Frame;
import dev.weft.shell.wire.FrameChannel;
import dev.weft.shell.wire.FrameException;
import dev.weft.shell.wire.Hello;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * What a client asks for, read whole and checked.
 *
 * @param arguments the command line
 * @param display the client's terminal
 * @param folder its current folder
 * @param jobFile the job file it sent
 */
record Request(List<String> arguments, Display display, Path folder, Optional<JobSource> jobFile) {
  /**
   * Reads everything up to the start frame.
   *
   * @param user who is at the other end
   * @throws FrameException if it is not understood
   */
  static Request read(FrameChannel channel, String user) throws IOException {
    Hello hello = Hello.of(next(channel));
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    Frame frame = next(channel);
    while (frame.kind() == Frame.Kind.FILE) {
      if (file.size() + frame.payload().length > JobFileReader.MAXIMUM_BYTES) {
        throw new FrameException(
            "the job file has more than " + JobFileReader.MAXIMUM_BYTES + " bytes");
      }
      file.writeBytes(frame.payload());
      frame = next(channel);
    }
    if (frame.kind() != Frame.Kind.START) {
      throw new FrameException("expected the start, not " + frame.kind());
    }
    Hello.Screen screen = hello.screen();
    Display display =
        new Display(
            screen.inputTerminal(),
            screen.outputTerminal(),
            screen.errorsTerminal(),
            screen.color(),
            screen.columns(),
            screen.rows(),
            screen.type(),
            zone(hello.zone()));
    return new Request(
        hello.arguments(),
        display,
        folder(hello.folder()),
        hello.jobFile().isEmpty()
            ? Optional.empty()
            : Optional.of(source(hello.jobFile().get(), file.toByteArray(), user)));
  }

  private static Frame next(FrameChannel channel) throws IOException {
    return channel.read().orElseThrow(() -> new EOFException("the client has gone"));
  }

  private static JobSource source(Hello.JobFile file, byte[] bytes, String user)
      throws FrameException {
    try {
      return new JobSource(
          file.name(),
          JobFileReader.decode(file.name(), bytes),
          folder(file.folder()),
          JobFileReader.submitter(user));
    } catch (CommandException e) {
      throw new FrameException(e.getMessage());
    }
  }

  private static Path folder(String text) throws FrameException {
    try {
      Path folder = Path.of(text);
      if (folder.isAbsolute()) {
        return folder;
      }
    } catch (InvalidPathException e) {
      throw new FrameException("not a folder: " + e.getReason());
    }
    throw new FrameException("the client's folder is not absolute");
  }

  private static ZoneId zone(String id) {
    try {
      return ZoneId.of(id);
    } catch (DateTimeException e) {
      return ZoneOffset.UTC;
    }
  }
}
