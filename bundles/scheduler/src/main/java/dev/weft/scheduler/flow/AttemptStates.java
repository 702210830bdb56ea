package dev.weft.scheduler.flow;

import dev.weft.core.job.TaskView.AttemptState;

/** The states of an attempt. */
public final class AttemptStates {
  /** What happens to an attempt. */
  public enum Event {
    /** Its node says that it prepares it. */
    STAGE,
    /** Its node says that its command runs. */
    RUN,
    /** Its node says that its result is on the way. */
    DELIVER,
    /** Its node says that it succeeded. */
    SUCCEED,
    /** Its node says that it failed. */
    FAIL,
    /** Its node says that it stopped it by itself. */
    STOP,
    /** Its node is lost or silent. */
    LOSE,
    /** Its node does not start it. */
    REFUSE,
    /** It is not wanted any more. */
    CANCEL
  }

  /** The table. A node need not say every phase, and says phases late: so each may be skipped. */
  public static final TransitionTable<AttemptState, Event> TABLE = table();

  private AttemptStates() {}

  private static TransitionTable<AttemptState, Event> table() {
    var table =
        TransitionTable.from(AttemptState.DISPATCHED, AttemptState.class, Event.class)
            .on(AttemptState.DISPATCHED, Event.STAGE, AttemptState.STAGING)
            .on(AttemptState.STAGING, Event.STAGE, AttemptState.STAGING)
            .on(AttemptState.DISPATCHED, Event.RUN, AttemptState.RUNNING)
            .on(AttemptState.STAGING, Event.RUN, AttemptState.RUNNING)
            .on(AttemptState.RUNNING, Event.RUN, AttemptState.RUNNING)
            .on(AttemptState.DISPATCHED, Event.DELIVER, AttemptState.DELIVERING)
            .on(AttemptState.STAGING, Event.DELIVER, AttemptState.DELIVERING)
            .on(AttemptState.RUNNING, Event.DELIVER, AttemptState.DELIVERING)
            .on(AttemptState.DELIVERING, Event.DELIVER, AttemptState.DELIVERING)
            .on(AttemptState.DISPATCHED, Event.REFUSE, AttemptState.REFUSED);
    for (AttemptState state : AttemptState.values()) {
      if (!state.isFinal()) {
        table
            .on(state, Event.SUCCEED, AttemptState.SUCCEEDED)
            .on(state, Event.FAIL, AttemptState.FAILED)
            .on(state, Event.STOP, AttemptState.STOPPED)
            .on(state, Event.LOSE, AttemptState.LOST)
            .on(state, Event.CANCEL, AttemptState.CANCELLED);
      }
    }
    return table.build();
  }
}
