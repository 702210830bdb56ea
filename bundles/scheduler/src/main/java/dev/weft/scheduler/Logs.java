package dev.weft.scheduler;

import dev.weft.api.AttemptId;
import dev.weft.api.Bytes;
import dev.weft.api.ContentId;
import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import dev.weft.core.bus.Bus;
import dev.weft.core.job.TaskView;
import dev.weft.core.message.Message;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Output of attempts: from the node while it has it, else what the manager kept. */
final class Logs {
  private static final Duration DEADLINE = Duration.ofSeconds(5);

  private final Bus bus;
  private final Work work;

  Logs(Bus bus, Work work) {
    this.bus = bus;
    this.work = work;
  }

  /** What the manager has of an attempt. */
  record Kept(NodeId node, String nodeName, Bytes errorTail, Optional<ContentId> result) {}

  /** Looks an attempt up; on the core's thread. */
  static Optional<Kept> kept(SchedulerCore core, AttemptId id) {
    Optional<Task> task = core.job(id.task().job()).flatMap(job -> job.task(id.task().index()));
    return task.flatMap(known -> known.attempt(id.number()))
        .map(
            attempt ->
                new Kept(
                    attempt.node,
                    attempt.nodeName,
                    Bytes.of(attempt.errorTail()),
                    attempt.state() == TaskView.AttemptState.SUCCEEDED
                        ? task.get().result()
                        : Optional.empty()));
  }

  /** Reads a piece; any thread. */
  CompletionStage<Message> read(
      AttemptId id, Optional<Kept> known, Message.Stream stream, long offset) {
    if (known.isEmpty()) {
      return CompletableFuture.completedFuture(
          failed("log.unknown", "there is no attempt " + id.number() + " of task " + id.task()));
    }
    Kept kept = known.get();
    return bus.request(kept.node(), new Message.ReadLog(id, stream, offset), DEADLINE)
        .thenCompose(
            answer ->
                answer instanceof Message.LogChunk
                    ? CompletableFuture.completedFuture(answer)
                    : keptLog(id, kept, stream, offset));
  }

  /** What the manager still knows when the node does not. */
  private CompletionStage<Message> keptLog(
      AttemptId id, Kept kept, Message.Stream stream, long offset) {
    Message gone =
        failed("log.gone", "node " + kept.nodeName() + " does not have this log any more");
    if (stream == Message.Stream.OUTPUT && kept.result().isPresent()) {
      return work.read(id.task(), kept.result().get(), offset)
          .thenApply(chunk -> chunk.isPresent() ? chunk.get() : gone);
    }
    boolean hasTail = stream == Message.Stream.ERRORS && kept.errorTail().length() > 0;
    return CompletableFuture.completedFuture(
        hasTail
            ? new Message.LogChunk(offset, offset == 0 ? kept.errorTail() : Bytes.EMPTY, true)
            : gone);
  }

  private static Message failed(String code, String message) {
    return new Message.Failed(new Fault(code, Fault.Category.RESOURCES, message, false));
  }
}
