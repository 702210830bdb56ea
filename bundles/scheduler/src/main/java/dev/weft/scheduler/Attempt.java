package dev.weft.scheduler;

import dev.weft.api.AttemptId;
import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import dev.weft.core.job.JobView.Desired;
import dev.weft.core.job.TaskView.AttemptState;
import dev.weft.core.job.TaskView.AttemptView;
import dev.weft.core.message.Message;
import dev.weft.core.message.Outcome;
import dev.weft.core.resources.Placement;
import dev.weft.scheduler.flow.AttemptStates;
import dev.weft.scheduler.flow.AttemptStates.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/** One try of a task on a node. */
final class Attempt {
  /** Characters; in UTF-8, of at most three bytes each, they fit a chunk of a log. */
  private static final int MAXIMUM_ERROR_TAIL = Message.LogChunk.MAXIMUM_BYTES / 3;

  final AttemptId id;
  final NodeId node;
  final String nodeName;
  final long boot;

  /** T3 when it was dispatched: its node got the rules that belong to it (A8). */
  final Duration timeout;

  private final Placement.Decision decision;
  private final Instant started;
  private Instant heard;
  private Desired desired = Desired.RUN;
  private AttemptState state = AttemptStates.TABLE.initial();
  private Optional<Instant> ended = Optional.empty();
  private Optional<Fault> fault = Optional.empty();
  private OptionalInt exitCode = OptionalInt.empty();
  private String errorTail = "";

  Attempt(
      Placement.Placed placed,
      Placement.Decision decision,
      String nodeName,
      Duration timeout,
      Instant now) {
    this.id = placed.attempt();
    this.node = placed.node();
    this.nodeName = nodeName;
    this.boot = placed.boot();
    this.decision = decision;
    this.timeout = timeout;
    this.started = now;
    this.heard = now;
  }

  void heard(Message.Phase phase, Instant now) {
    heard = now;
    Event event =
        switch (phase) {
          case STAGING -> Event.STAGE;
          case RUNNING -> Event.RUN;
          case DELIVERING -> Event.DELIVER;
          case ENDED -> throw new IllegalArgumentException("an ended attempt has an outcome");
        };
    // A status that was overtaken by a later one tells nothing but that the node is there.
    state = AttemptStates.TABLE.find(state, event).orElse(state);
  }

  void succeed(Instant now) {
    end(Event.SUCCEED, Optional.empty(), now);
  }

  /** It does not count any more. */
  void end(Event how, Optional<Fault> why, Instant now) {
    state = AttemptStates.TABLE.next(state, how);
    fault = why;
    ended = Optional.of(now);
  }

  void fail(Outcome.Failed failed) {
    exitCode = failed.exitCode();
    String tail = failed.errorTail(); // a node may say more than it should
    errorTail = tail.substring(Math.max(0, tail.length() - MAXIMUM_ERROR_TAIL));
  }

  /** Nobody wants it any more, but it may still run. */
  void stop() {
    desired = Desired.STOP;
  }

  /** Forgets the end of its standard error. */
  void dropErrorTail() {
    errorTail = "";
  }

  /** Whether nothing was heard of it for longer than its node may be silent (A7). */
  boolean isSilent(Instant now) {
    return now.isAfter(heard.plus(timeout));
  }

  /** Whether its node has said anything of it yet. */
  boolean isHeard() {
    return state != AttemptState.DISPATCHED;
  }

  String errorTail() {
    return errorTail;
  }

  AttemptState state() {
    return state;
  }

  AttemptView view() {
    return new AttemptView(
        id.number(),
        node,
        nodeName,
        decision,
        desired,
        state,
        started,
        ended,
        fault,
        exitCode,
        errorTail);
  }
}
