package dev.weft.api.inventory;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Finds out what a device has. Registered as a service; all that are present are asked, one after
 * the other, on a thread of the agent's own with a time limit. Must tolerate being interrupted.
 */
@ConsumerType
public interface Probe {
  /** Short name for messages, such as {@code gpu.nvidia}. */
  String name();

  /**
   * Looks now. What cannot be found or read goes into the notes; an exception is caught by the
   * caller and noted under {@link #name()}.
   *
   * @throws Exception if nothing at all can be said
   */
  Inventory look() throws Exception;
}
