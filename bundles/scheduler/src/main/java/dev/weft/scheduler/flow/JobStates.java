package dev.weft.scheduler.flow;

import dev.weft.core.job.JobView.State;

/** The states of a job. */
public final class JobStates {
  /** What happens to a job. */
  public enum Event {
    /** Every job that it needs is completed. */
    CONFIGURE,
    /** Its input is split. */
    CUT,
    /** An attempt of it is dispatched. */
    BEGIN,
    /** All its tasks are done. */
    MERGE,
    /** Its result is delivered. */
    DELIVER,
    /** It is given up. */
    FAIL,
    /** It is given up because a task ran longer than its time limit. */
    TIME_OUT,
    /** It is given up because a task lost its node too often. */
    LOSE_NODES,
    /** Its user cancels it. */
    CANCEL
  }

  /** The table. A job without needs is configured at once. */
  public static final TransitionTable<State, Event> TABLE = table();

  private JobStates() {}

  private static TransitionTable<State, Event> table() {
    var table =
        TransitionTable.from(State.PENDING, State.class, Event.class)
            .on(State.PENDING, Event.CONFIGURE, State.CONFIGURING)
            .on(State.CONFIGURING, Event.CUT, State.PENDING)
            .on(State.PENDING, Event.BEGIN, State.RUNNING)
            .on(State.RUNNING, Event.BEGIN, State.RUNNING)
            .on(State.RUNNING, Event.MERGE, State.COMPLETING)
            .on(State.COMPLETING, Event.BEGIN, State.COMPLETING)
            .on(State.COMPLETING, Event.DELIVER, State.COMPLETED);
    for (State state : State.values()) {
      if (!state.isFinal()) {
        table
            .on(state, Event.FAIL, State.FAILED)
            .on(state, Event.TIME_OUT, State.TIMEOUT)
            .on(state, Event.LOSE_NODES, State.NODE_FAIL)
            .on(state, Event.CANCEL, State.CANCELLED);
      }
    }
    return table.build();
  }
}
