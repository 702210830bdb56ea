package dev.weft.scheduler.flow;

import dev.weft.core.job.TaskView.State;

/** The states of a task. */
public final class TaskStates {
  /** What happens to a task. */
  public enum Event {
    /** An attempt of it is dispatched. */
    BEGIN,
    /** Its attempt does not count any more; it is tried again. */
    RETRY,
    /** Its attempt succeeded. */
    SUCCEED,
    /** It is given up. */
    GIVE_UP,
    /** Its job is over. */
    CANCEL
  }

  /** The table. */
  public static final TransitionTable<State, Event> TABLE =
      TransitionTable.from(State.WAITING, State.class, Event.class)
          .on(State.WAITING, Event.BEGIN, State.RUNNING)
          .on(State.WAITING, Event.GIVE_UP, State.FAILED)
          .on(State.WAITING, Event.CANCEL, State.CANCELLED)
          .on(State.RUNNING, Event.RETRY, State.WAITING)
          .on(State.RUNNING, Event.SUCCEED, State.DONE)
          .on(State.RUNNING, Event.GIVE_UP, State.FAILED)
          .on(State.RUNNING, Event.CANCEL, State.CANCELLED)
          .build();

  private TaskStates() {}
}
