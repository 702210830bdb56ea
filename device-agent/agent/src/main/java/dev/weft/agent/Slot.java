package dev.weft.agent;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.core.message.Message.AttemptStatus;
import dev.weft.core.message.Message.Phase;
import dev.weft.core.message.Message.StatusRules;
import dev.weft.core.message.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What the core knows of one attempt. Only the core's thread touches it. */
final class Slot {
  private final AttemptId attempt;
  private final NodeId manager;
  private final String group;
  private final Resources resources;
  private final StatusRules rules;
  private final Instant accepted;
  private final Duration patience;

  private Phase phase = Phase.STAGING;
  private Optional<Outcome> outcome = Optional.empty();
  private Optional<String> stopReason = Optional.empty();
  private boolean wanted = true;
  private Instant ended = Instant.MAX;

  // Of the statuses; written by StatusPlan.
  Instant answered;
  Instant nextStatus;
  boolean queued;
  boolean outcomeUnderWay;

  Slot(
      AttemptId attempt,
      NodeId manager,
      String group,
      Resources resources,
      StatusRules rules,
      Instant now) {
    this.attempt = attempt;
    this.manager = manager;
    this.group = group;
    this.resources = resources;
    this.rules = rules;
    this.accepted = now;
    this.patience = rules.period().multipliedBy(rules.periods());
    this.answered = now;
    this.nextStatus = now.plus(rules.period());
  }

  AttemptId attempt() {
    return attempt;
  }

  NodeId manager() {
    return manager;
  }

  /** The group of resource managers that gave it its resources. */
  String group() {
    return group;
  }

  Resources resources() {
    return resources;
  }

  StatusRules rules() {
    return rules;
  }

  boolean isEnded() {
    return phase == Phase.ENDED;
  }

  boolean isStopping() {
    return stopReason.isPresent();
  }

  /** Whether its manager still wants to hear of it. */
  boolean isWanted() {
    return wanted;
  }

  void unwanted() {
    wanted = false;
  }

  void stopping(String reason) {
    stopReason = Optional.of(reason);
  }

  void phase(Phase next) {
    phase = next;
  }

  /**
   * It is over. A result that came before the stop counts; everything else was the stop's doing.
   */
  void end(Outcome how, Instant now) {
    phase = Phase.ENDED;
    ended = now;
    boolean stopped = stopReason.isPresent() && !(how instanceof Outcome.Succeeded);
    outcome = Optional.of(stopped ? new Outcome.Stopped(stopReason.get()) : how);
  }

  /** Whether its manager was silent for too long (A8). */
  boolean isForsaken(Instant now) {
    return !now.isBefore(answered.plus(patience));
  }

  Duration patience() {
    return patience;
  }

  /** Whether it is over since at least this long. */
  boolean endedBefore(Instant time) {
    return isEnded() && !ended.isAfter(time);
  }

  AttemptStatus status(Instant now) {
    Instant until = isEnded() ? ended : now;
    return new AttemptStatus(attempt, phase, Duration.between(accepted, until), outcome);
  }
}
