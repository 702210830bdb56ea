package dev.weft.agent;

import dev.weft.agent.run.RunRequest;
import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.core.message.Message;
import java.time.Duration;
import java.util.function.Consumer;

/** Everything that {@link AgentCore} can ask its loop to do, in the order given. */
public sealed interface AgentEffect {
  /** Answer a request. */
  record Answer(Consumer<Message> reply, Message answer) implements AgentEffect {}

  /** Start an attempt. */
  record StartRun(RunRequest request) implements AgentEffect {}

  /** Stop an attempt; its end is told by {@link AgentEvent.Ended}. */
  record StopRun(AttemptId attempt, Duration grace) implements AgentEffect {}

  /** Send a report; what became of it is told by {@link AgentEvent.ReportAnswered}. */
  record SendReport(NodeId manager, Message.Report report) implements AgentEffect {}

  /** Send a status; what became of it is told by {@link AgentEvent.StatusAnswered}. */
  record SendStatus(NodeId manager, long number, Message.Status status, Duration deadline)
      implements AgentEffect {}

  /** Nothing more will be said of an attempt that is over: its folder can go. */
  record Forget(AttemptId attempt, String reason) implements AgentEffect {}
}
