package dev.weft.agent.run;

import dev.weft.api.AttemptId;
import dev.weft.core.message.Message;
import dev.weft.core.message.Outcome;

/** Hears of runs. Called from several threads; must not block. */
public interface RunListener {
  /** A run does something else now; never {@link Message.Phase#ENDED}. */
  void phaseChanged(AttemptId attempt, Message.Phase phase);

  /** A run is over, and nothing of it is left running. Once for each run that was started. */
  void ended(AttemptId attempt, Outcome outcome);
}
