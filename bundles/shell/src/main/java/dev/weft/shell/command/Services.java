package dev.weft.shell.command;

import dev.weft.api.NodeId;
import dev.weft.core.bus.Bus;
import dev.weft.core.bus.LocalNode;
import dev.weft.core.job.JobService;
import dev.weft.core.resources.ResourceManager;
import dev.weft.shell.render.NodeNames;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;

/**
 * What commands work with. Each call gives the service of this moment: do not keep it longer than
 * one use. Thread-safe.
 */
public interface Services {
  /** The task scheduler. */
  JobService jobs() throws CommandException;

  /** The resource manager. */
  ResourceManager resources() throws CommandException;

  /** The bus. */
  Bus bus() throws CommandException;

  /** Who this node is. */
  LocalNode localNode() throws CommandException;

  /** Every policy that is installed, the one with the highest ranking of each kind first. */
  List<Policy> policies();

  /** Version of Weft. */
  String version();

  /** When the manager started. */
  Instant started();

  /** Names of all nodes known now. */
  default NodeNames nodeNames() throws CommandException {
    var names = new HashMap<NodeId, String>();
    resources().nodes().forEach(node -> names.put(node.id(), node.name()));
    return node -> names.getOrDefault(node, "");
  }

  /**
   * A policy that is installed.
   *
   * @param kind {@code placement} or {@code split}
   * @param name its name
   * @param version its version
   * @param ranking the highest is used
   * @param bundle where it comes from
   */
  record Policy(String kind, String name, String version, int ranking, String bundle) {}
}
