package dev.weft.agent.run;

import dev.weft.api.AttemptId;
import dev.weft.api.Bytes;
import dev.weft.api.Fault;
import dev.weft.core.message.Message;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Serves pieces of outputs of attempts, running or kept. Thread-safe; does not block its caller.
 */
public final class LogReader implements AutoCloseable {
  private static final int READERS = 2;
  private static final int MAXIMUM_WAITING = 64;

  private final AttemptFolders folders;
  private final Predicate<AttemptId> running;
  private final Semaphore room = new Semaphore(MAXIMUM_WAITING);
  private final WorkPool pool = new WorkPool("weft-agent-logs", READERS, MAXIMUM_WAITING);

  /**
   * A reader of these folders.
   *
   * @param running whether more may be written for an attempt
   */
  public LogReader(AttemptFolders folders, Predicate<AttemptId> running) {
    this.folders = Objects.requireNonNull(folders, "folders");
    this.running = Objects.requireNonNull(running, "running");
  }

  /**
   * Reads a piece.
   *
   * @param answer called once
   */
  public void read(Message.ReadLog request, Consumer<Message> answer) {
    if (room.tryAcquire()) {
      pool.execute(new Reading(request, answer));
    } else {
      answer.accept(
          failed("agent.busy", "too many logs are being read on this node; try again", true));
    }
  }

  private Message read(Message.ReadLog request) {
    AttemptFolder folder = folders.of(request.attempt());
    Path file = request.stream() == Message.Stream.OUTPUT ? folder.output() : folder.errors();
    // Asked first: what is written between the two calls comes with the next piece.
    boolean mayGrow = running.test(request.attempt());
    try {
      byte[] bytes = FileTail.read(file, request.offset(), Message.LogChunk.MAXIMUM_BYTES);
      boolean end = !mayGrow && bytes.length < Message.LogChunk.MAXIMUM_BYTES;
      return new Message.LogChunk(request.offset(), Bytes.of(bytes), end);
    } catch (NoSuchFileException e) {
      return mayGrow
          ? new Message.LogChunk(request.offset(), Bytes.EMPTY, false)
          : failed(
              "log.gone", "this node has no output of " + request.attempt() + " any more", false);
    } catch (IOException e) {
      return failed("log.unreadable", "the output cannot be read on the node: " + e, true);
    }
  }

  private static Message failed(String code, String message, boolean retry) {
    return new Message.Failed(new Fault(code, Fault.Category.RESOURCES, message, retry));
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }

  private final class Reading implements WorkPool.Work {
    private final Message.ReadLog request;
    private final Consumer<Message> answer;

    Reading(Message.ReadLog request, Consumer<Message> answer) {
      this.request = request;
      this.answer = answer;
    }

    @Override
    public void run() {
      answer.accept(readAndRelease());
    }

    private Message readAndRelease() {
      try {
        return LogReader.this.read(request);
      } finally {
        room.release();
      }
    }

    @Override
    public void failed(Throwable reason) {
      answer.accept(LogReader.failed("log.unreadable", "the agent failed: " + reason, true));
    }
  }
}
