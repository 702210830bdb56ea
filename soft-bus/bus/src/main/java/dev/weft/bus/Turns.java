package dev.weft.bus;

/** Where the bus's actions wait for their turn: a loop with a thread, or a simulation. */
interface Turns {
  /** Queues an action; false if there is no room or all is over. Never blocks. */
  boolean offer(Runnable action);

  /** Begins. */
  void start();

  /** Ends; actions that wait are dropped. */
  void close();
}
