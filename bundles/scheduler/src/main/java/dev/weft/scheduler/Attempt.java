package dev.weft.scheduler;

import dev.weft.api.AttemptId;
import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import dev.weft.core.job.TaskView.AttemptView;
import dev.weft.core.message.Outcome;
import dev.weft.core.resources.Placement;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** One try of a task on a node. */
final class Attempt {
  final AttemptId id;
  final NodeId node;
  final String nodeName;
  final long boot;

  /** T3 when it was dispatched: its node got the rules that belong to it (A8). */
  final Duration timeout;

  private final Placement.Decision decision;
  private final Instant started;
  Instant heard;
  private String state = "dispatched";
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

  void heard(Enum<?> phase, Instant now) {
    heard = now;
    state = phase.name().toLowerCase(Locale.ROOT);
  }

  void end(String how, Optional<Fault> why, Instant now) {
    state = how;
    fault = why;
    ended = Optional.of(now);
  }

  void fail(Outcome.Failed failed, Instant now) {
    end("failed", Optional.of(failed.fault()), now);
    exitCode = failed.exitCode();
    errorTail = failed.errorTail();
  }

  /** Forgets the end of its standard error. */
  void dropErrorTail() {
    errorTail = "";
  }

  /** Whether nothing was heard of it for longer than its node may be silent (A7). */
  boolean isSilent(Instant now) {
    return now.isAfter(heard.plus(timeout));
  }

  String errorTail() {
    return errorTail;
  }

  boolean isEnded() {
    return ended.isPresent();
  }

  AttemptView view() {
    return new AttemptView(
        id.number(), node, nodeName, decision, state, started, ended, fault, exitCode, errorTail);
  }
}
