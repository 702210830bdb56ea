package dev.weft.shell.command;

import dev.weft.api.NodeId;
import dev.weft.core.job.DrainStatus;
import dev.weft.core.job.JobService;
import dev.weft.core.resources.NodeStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the drains of nodes. */
final class Drains {
  private Drains() {}

  /** The drains among some nodes; none if there is no task scheduler to ask. */
  static Map<NodeId, DrainStatus> of(Services services, List<NodeStatus> nodes) {
    Map<NodeId, DrainStatus> drains = new HashMap<>();
    JobService jobs;
    try {
      jobs = services.jobs();
    } catch (CommandException e) {
      return drains; // nodes can be looked at all the same
    }
    for (NodeStatus node : nodes) {
      if (node.state() != NodeStatus.State.READY) { // who is drained gets no tasks
        jobs.drain(node.id()).ifPresent(drain -> drains.put(node.id(), drain));
      }
    }
    return drains;
  }
}
