package dev.weft.shell.client;

import dev.weft.shell.command.CommandException;
import dev.weft.shell.command.ExitCode;
import dev.weft.shell.wire.Frame;
import dev.weft.shell.wire.FrameChannel;
import dev.weft.shell.wire.Hello;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** One command's exchange with the manager. */
final class Conversation implements AutoCloseable {
  /** Exit code when standard output is closed: 128 and the number of SIGPIPE. */
  private static final int BROKEN_PIPE = 141;

  private static final int CHUNK = 8_192;

  private final FrameChannel channel;
  private final Client.Surroundings surroundings;
  private final AtomicInteger interrupts = new AtomicInteger();

  Conversation(SocketChannel channel, Client.Surroundings surroundings) {
    this.channel = new FrameChannel(channel);
    this.surroundings = surroundings;
  }

  /** Sends all that the manager needs to begin. */
  void ask(Hello hello, Optional<String> jobFile) throws IOException {
    Frame first = hello.toFrame();
    try {
      channel.write(first);
      byte[] text = jobFile.orElse("").getBytes(StandardCharsets.UTF_8);
      for (int at = 0; at < text.length; at += Frame.MAXIMUM_PAYLOAD) {
        int end = Math.min(text.length, at + Frame.MAXIMUM_PAYLOAD);
        channel.write(new Frame(Frame.Kind.FILE, Arrays.copyOfRange(text, at, end)));
      }
      channel.write(new Frame(Frame.Kind.START, new byte[0]));
    } catch (IOException e) {
      // The manager may have refused already; what it said is still to be read.
    }
  }

  /**
   * Shows what comes until the command ends.
   *
   * @param sendInput whether standard input is sent
   * @param raw whether the terminal is put into raw mode meanwhile
   * @return exit code
   */
  int listen(boolean sendInput, boolean raw) throws CommandException, IOException {
    LocalTerminal terminal = surroundings.terminal();
    terminal.onInterrupt(this::interrupt);
    terminal.onResize(this::resize);
    LocalTerminal.Raw mode = raw ? terminal.raw() : () -> {};
    try {
      if (sendInput) {
        Thread pump = new Thread(this::sendInput, "sends input");
        pump.setDaemon(true);
        pump.start();
      }
      return receive();
    } finally {
      mode.close();
    }
  }

  private int receive() throws CommandException, IOException {
    while (true) {
      Optional<Frame> next = read();
      if (next.isEmpty()) {
        if (interrupts.get() > 0) {
          return ExitCode.INTERRUPTED;
        }
        throw new CommandException("the manager has gone: see its log");
      }
      Frame frame = next.get();
      switch (frame.kind()) {
        case OUTPUT -> {
          if (!show(surroundings.output(), frame)) {
            return BROKEN_PIPE;
          }
        }
        case ERRORS -> {
          if (!show(surroundings.errors(), frame)) {
            return BROKEN_PIPE;
          }
        }
        case EXIT -> {
          return ByteBuffer.wrap(frame.payload()).getInt();
        }
        default -> throw new IOException("the manager sent " + frame.kind());
      }
    }
  }

  private Optional<Frame> read() {
    try {
      return channel.read();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static boolean show(OutputStream stream, Frame frame) {
    try {
      stream.write(frame.payload());
      stream.flush();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void sendInput() {
    byte[] chunk = new byte[CHUNK];
    InputStream input = surroundings.input();
    try {
      for (int read = input.read(chunk); read >= 0; read = input.read(chunk)) {
        channel.write(new Frame(Frame.Kind.INPUT, Arrays.copyOf(chunk, read)));
      }
      channel.write(new Frame(Frame.Kind.INPUT_END, new byte[0]));
    } catch (IOException e) {
      // The conversation is over; whoever listens says so.
    }
  }

  // The first interrupt is the manager's to answer; at the second the client leaves.
  private void interrupt() {
    try {
      if (interrupts.incrementAndGet() == 1) {
        channel.write(new Frame(Frame.Kind.INTERRUPT, new byte[0]));
      } else {
        channel.close();
      }
    } catch (IOException e) {
      interrupts.incrementAndGet();
    }
  }

  private void resize() {
    Hello.Screen screen = surroundings.terminal().screen();
    ByteBuffer size = ByteBuffer.allocate(2 * Integer.BYTES);
    size.putInt(screen.columns()).putInt(screen.rows());
    try {
      channel.write(new Frame(Frame.Kind.WINDOW, size.array()));
    } catch (IOException e) {
      // The conversation is over; whoever listens says so.
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
