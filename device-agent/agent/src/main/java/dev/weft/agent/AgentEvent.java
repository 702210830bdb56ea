package dev.weft.agent;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.inventory.Inventory;
import dev.weft.core.message.Message;
import dev.weft.core.message.Outcome;
import java.time.Duration;
import java.util.Collections;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Everything that can happen to {@link AgentCore}. */
public sealed interface AgentEvent {
  /** A manager can be talked to, for the first time, again, or under another address. */
  record ManagerUp(NodeId manager) implements AgentEvent {}

  /** A manager cannot be talked to; its attempts go on until their rules stop them (A8). */
  record ManagerDown(NodeId manager) implements AgentEvent {}

  /**
   * A manager wants attempts to run.
   *
   * @param reply where the answer goes; the core hands it back with {@link AgentEffect.Answer}
   */
  record Assign(NodeId manager, Message.Assign request, Consumer<Message> reply)
      implements AgentEvent {}

  /** A manager wants attempts to stop. */
  record Cancel(NodeId manager, Message.Cancel request, Consumer<Message> reply)
      implements AgentEvent {}

  /** What a former life left running is gone, and an executor is there (B5). */
  record Cleared() implements AgentEvent {}

  /** The probes were asked, or what the operator offers has changed. */
  record Looked(Inventory inventory, Resources offered, SortedMap<String, String> labels)
      implements AgentEvent {
    /** Copies and checks. */
    public Looked {
      Objects.requireNonNull(inventory, "inventory");
      Objects.requireNonNull(offered, "offered");
      labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }
  }

  /** A run does something else now. */
  record PhaseChanged(AttemptId attempt, Message.Phase phase) implements AgentEvent {}

  /** A run is over and nothing of it is left running. */
  record Ended(AttemptId attempt, Outcome outcome) implements AgentEvent {}

  /**
   * A status was answered, or will not be.
   *
   * @param number number of {@link AgentEffect.SendStatus}
   * @param answer empty if the manager did not answer
   */
  record StatusAnswered(long number, Optional<Message.StatusReceived> answer)
      implements AgentEvent {}

  /** A report was answered, or will not be. */
  record ReportAnswered(NodeId manager, long number, Optional<Message.Reported> answer)
      implements AgentEvent {}

  /** The operator changed how often reports are sent. */
  record ReportPeriodChanged(Duration period) implements AgentEvent {}
}
