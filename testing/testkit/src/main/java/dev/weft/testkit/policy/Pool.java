package dev.weft.testkit.policy;

import dev.weft.api.Amount;
import dev.weft.api.NodeId;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import dev.weft.api.policy.NodeView;
import dev.weft.api.policy.PoolView;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A pool written down in a test. */
public record Pool(SortedMap<NodeId, NodeView> byId) implements PoolView {
  /** Memory of each graphics processor. */
  public static final long GPU_MEMORY_MIB = 16_384;

  /** Copies. */
  public Pool {
    byId = Collections.unmodifiableSortedMap(new TreeMap<>(byId));
  }

  /** A pool of these nodes. */
  public static Pool of(NodeView... nodes) {
    SortedMap<NodeId, NodeView> byId = new TreeMap<>();
    Arrays.stream(nodes).forEach(node -> byId.put(node.id(), node));
    return new Pool(byId);
  }

  /** An idle node. */
  public static NodeView node(int number, double cores, long memoryMiB, int gpus) {
    Resources resources = offer(cores, memoryMiB, gpus);
    return new NodeView(
        id(number), "node-" + number, resources, resources, new TreeMap<>(Map.of()), 0);
  }

  /** What a node offers: each graphics processor by device, with 16 GiB of memory. */
  public static Resources offer(double cores, long memoryMiB, int gpus) {
    Map<ResourceType, Long> amounts = new HashMap<>();
    amounts.put(ResourceType.CPU, Math.round(cores * 1000));
    amounts.put(ResourceType.MEMORY, memoryMiB << 20);
    for (int device = 0; device < gpus; device++) {
      amounts.put(ResourceType.gpu(device), 1000L);
      amounts.put(ResourceType.gpuMemory(device), GPU_MEMORY_MIB << 20);
    }
    return Resources.ree(Amount.of(amounts));
  }

  /** A demand in the ordinary environment. */
  public static Resources resources(double cores, long memoryMiB, double gpus) {
    return Resources.ree(
        Amount.of(Math.round(cores * 1000), memoryMiB << 20, Math.round(gpus * 1000)));
  }

  /** The id of a numbered node; ids are in order of number. */
  public static NodeId id(int number) {
    return new NodeId(String.format("%064x", number));
  }

  @Override
  public Collection<NodeView> nodes() {
    return byId.values();
  }

  @Override
  public Optional<NodeView> node(NodeId id) {
    return Optional.ofNullable(byId.get(id));
  }
}
