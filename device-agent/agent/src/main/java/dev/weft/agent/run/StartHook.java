package dev.weft.agent.run;

/**
 * One step on the way from an accepted attempt to a running command. The steps are called in order,
 * on one thread of the agent; each reads what the ones before it left in the preparation and adds
 * its own. A step may block for a transfer and must then give up when it is interrupted.
 */
@FunctionalInterface
interface StartHook {
  /**
   * Does the step.
   *
   * @throws StartFailure if the attempt cannot be started
   */
  void prepare(Preparation preparation) throws StartFailure;
}
