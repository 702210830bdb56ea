package dev.weft.shell.server;

import dev.weft.core.job.JobSource;
import dev.weft.shell.command.CommandException;
import dev.weft.shell.command.CommandRunner;
import dev.weft.shell.command.CommandTree;
import dev.weft.shell.command.Display;
import dev.weft.shell.command.ExitCode;
import dev.weft.shell.command.Invocation;
import dev.weft.shell.command.JobFileReader;
import dev.weft.shell.command.Services;
import dev.weft.shell.wire.Frame;
import dev.weft.shell.wire.FrameChannel;
import dev.weft.shell.wire.FrameException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client: a thread that reads from it, a thread that writes to it, and the thread that runs its
 * command. They are three because a thread that is interrupted while it uses a channel closes the
 * channel, and the command's thread must be interruptible.
 */
final class Session {
  private static final Logger LOG = LoggerFactory.getLogger(Session.class);
  private static final long DRAIN_MILLIS = 2_000;

  private final String name;
  private final String user;
  private final FrameChannel channel;
  private final Services services;
  private final ConsoleHost consoles;
  private final Clock clock;
  private final Consumer<Session> ended;
  private final Outgoing outgoing = new Outgoing();
  private final Incoming incoming = new Incoming();
  private final Thread reader;
  private final Thread writer;
  private final AtomicReference<Thread> command = new AtomicReference<>();
  private final AtomicReference<Runnable> onInterrupt = new AtomicReference<>(() -> {});
  private final AtomicReference<Consumer<Display>> onResize = new AtomicReference<>(size -> {});
  private final AtomicReference<Display> display = new AtomicReference<>();
  private final AtomicBoolean over = new AtomicBoolean();

  /** What sessions have in common. */
  record Setting(Services services, ConsoleHost consoles, Clock clock) {}

  /**
   * A session; {@link #start} starts it.
   *
   * @param user who is at the other end
   * @param ended called once when it is over
   */
  Session(
      String name, String user, FrameChannel channel, Setting setting, Consumer<Session> ended) {
    this.name = name;
    this.user = user;
    this.channel = channel;
    this.services = setting.services();
    this.consoles = setting.consoles();
    this.clock = setting.clock();
    this.ended = ended;
    this.reader = thread("reads", this::read);
    this.writer = thread("writes", this::write);
  }

  private Thread thread(String what, Runnable task) {
    Thread thread = new Thread(task, name + " " + what);
    thread.setDaemon(true);
    return thread;
  }

  void start() {
    writer.start();
    reader.start();
  }

  /** Whether the client has said what it wants. */
  boolean isStarted() {
    return command.get() != null;
  }

  private void read() {
    try {
      Request request = Request.read(channel, user);
      display.set(request.display());
      Thread thread = thread("runs", () -> run(request));
      onInterrupt.set(thread::interrupt);
      command.set(thread);
      thread.start();
      for (Optional<Frame> frame = channel.read(); frame.isPresent(); frame = channel.read()) {
        handle(frame.get());
      }
    } catch (FrameException e) {
      LOG.warn("{} ends, what came is not understood: {}", name, e.getMessage());
      refuse(e.getMessage());
    } catch (IOException e) {
      LOG.debug("{}: the client has gone: {}", name, e.toString());
    } finally {
      end();
    }
  }

  private void handle(Frame frame) throws FrameException {
    switch (frame.kind()) {
      case INPUT -> incoming.put(frame.payload());
      case INPUT_END -> incoming.end();
      case INTERRUPT -> onInterrupt.get().run();
      case WINDOW -> resize(frame.payload());
      default -> throw new FrameException("unexpected " + frame.kind());
    }
  }

  private void resize(byte[] payload) throws FrameException {
    if (payload.length != 2 * Integer.BYTES) {
      throw new FrameException("a window of " + payload.length + " bytes");
    }
    ByteBuffer size = ByteBuffer.wrap(payload);
    int columns = size.getInt();
    int rows = size.getInt();
    onResize.get().accept(display.updateAndGet(old -> old.resized(columns, rows)));
  }

  private void refuse(String reason) {
    if (isStarted()) {
      return;
    }
    try {
      byte[] line = (CommandTree.PROGRAM + ": " + reason + "\n").getBytes(StandardCharsets.UTF_8);
      outgoing.put(new Frame(Frame.Kind.ERRORS, line));
      outgoing.put(exit(ExitCode.ERROR));
      outgoing.finish();
      writer.join(DRAIN_MILLIS);
    } catch (IOException e) {
      LOG.debug("{}: the client has gone: {}", name, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Frame exit(int code) {
    return new Frame(Frame.Kind.EXIT, ByteBuffer.allocate(Integer.BYTES).putInt(code).array());
  }

  private void write() {
    try {
      for (Optional<Frame> frame = outgoing.take(); frame.isPresent(); frame = outgoing.take()) {
        channel.write(frame.get());
      }
    } catch (IOException e) {
      LOG.debug("{}: the client has gone: {}", name, e.toString());
    } finally {
      end();
    }
  }

  private void run(Request request) {
    PrintStream output = print(Frame.Kind.OUTPUT);
    PrintStream errors = print(Frame.Kind.ERRORS);
    Invocation invocation =
        new Invocation(
            services,
            display::get,
            output,
            errors,
            file -> jobFile(request, file),
            new Console(request.folder(), output, errors),
            clock);
    // A task keeps whatever is thrown to itself.
    FutureTask<Integer> task =
        new FutureTask<>(() -> CommandRunner.run(request.arguments(), invocation));
    task.run();
    int code = result(task, errors);
    output.flush();
    errors.flush();
    try {
      outgoing.put(exit(code));
    } catch (IOException e) {
      LOG.debug("{}: the client has gone: {}", name, e.toString());
    }
    outgoing.finish();
  }

  private PrintStream print(Frame.Kind kind) {
    return new PrintStream(
        new BufferedOutputStream(new FrameOutput(outgoing, kind)), false, StandardCharsets.UTF_8);
  }

  private static JobSource jobFile(Request request, String file) throws CommandException {
    return request
        .jobFile()
        .filter(source -> source.name().equals(file))
        .orElseThrow(() -> new CommandException("the client did not send the job file " + file));
  }

  private int result(FutureTask<Integer> task, PrintStream errors) {
    try {
      return task.get();
    } catch (InterruptedException e) {
      return ExitCode.INTERRUPTED;
    } catch (ExecutionException e) {
      if (!over.get()) {
        LOG.error("{}: a command failed", name, e.getCause());
        errors.print(
            "weft: internal error: " + e.getCause() + "\nThe manager's log has the details.\n");
      }
      return ExitCode.ERROR;
    }
  }

  /** Ends the session: the command is interrupted, the connection closed. May be called twice. */
  void end() {
    if (!over.compareAndSet(false, true)) {
      return;
    }
    outgoing.close();
    incoming.end();
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("{} could not be closed: {}", name, e.toString());
    }
    Thread running = command.get();
    if (running != null) {
      onInterrupt.get().run();
      running.interrupt();
    }
    ended.accept(this);
  }

  /** Waits until its command has ended. */
  void join(long millis) throws InterruptedException {
    Thread running = command.get();
    if (running != null) {
      TimeUnit.MILLISECONDS.timedJoin(running, millis);
    }
  }

  /** The console, over this session. */
  private final class Console implements Invocation.Console, ConsoleHost.Link {
    private static final int MAXIMUM_SCRIPT = 1_048_576;

    private final Path folder;
    private final OutputStream output;
    private final OutputStream errors;

    private Console(Path folder, OutputStream output, OutputStream errors) {
      this.folder = folder;
      this.output = output;
      this.errors = errors;
    }

    @Override
    public int interactive(Display now) throws CommandException, InterruptedException {
      return consoles.interactive(this);
    }

    @Override
    public int run(String commands) throws CommandException, InterruptedException {
      return consoles.run(
          this, commands.equals(JobFileReader.STANDARD_INPUT) ? script() : commands);
    }

    private String script() throws CommandException, InterruptedException {
      try {
        byte[] bytes = incoming.readNBytes(MAXIMUM_SCRIPT + 1);
        if (bytes.length > MAXIMUM_SCRIPT) {
          throw new CommandException(
              "standard input has more than " + MAXIMUM_SCRIPT + " bytes of commands");
        }
        return new String(bytes, StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new InterruptedException(e.getMessage());
      }
    }

    @Override
    public InputStream input() {
      return incoming;
    }

    @Override
    public OutputStream output() {
      return output;
    }

    @Override
    public OutputStream errors() {
      return errors;
    }

    @Override
    public Supplier<Display> display() {
      return display::get;
    }

    @Override
    public Path folder() {
      return folder;
    }

    @Override
    public void onResize(Consumer<Display> handler) {
      onResize.set(handler);
    }

    @Override
    public void onInterrupt(Runnable handler) {
      onInterrupt.set(handler);
    }
  }
}
