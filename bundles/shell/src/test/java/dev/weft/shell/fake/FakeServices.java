package dev.weft.shell.fake;

import dev.weft.api.AttemptId;
import dev.weft.api.Demand;
import dev.weft.api.NodeId;
import dev.weft.api.bus.Discovery;
import dev.weft.api.bus.Role;
import dev.weft.api.policy.PlacementPolicy;
import dev.weft.api.policy.PoolView;
import dev.weft.api.policy.Refusal;
import dev.weft.core.bus.Bus;
import dev.weft.core.bus.BusStatus;
import dev.weft.core.bus.LocalNode;
import dev.weft.core.bus.Peer;
import dev.weft.core.message.Message;
import dev.weft.core.resources.NodeStatus;
import dev.weft.core.resources.Placement;
import dev.weft.core.resources.ResourceManager;
import dev.weft.shell.command.Services;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Services of a manager with two nodes. */
public final class FakeServices implements Services {
  private final FakeJobs jobs = new FakeJobs();
  private final FakeResources resources = new FakeResources();

  @Override
  public FakeJobs jobs() {
    return jobs;
  }

  @Override
  public ResourceManager resources() {
    return resources;
  }

  @Override
  public Bus bus() {
    return new FakeBus();
  }

  @Override
  public LocalNode localNode() {
    return new LocalNode(new NodeId("c3".repeat(32)), 4, "desk", Set.of(Role.MANAGER), List.of());
  }

  @Override
  public List<Policy> policies() {
    return List.of(
        new Policy("placement", "spread", "2.0.0", 10, "acme.spread"),
        new Policy("placement", "rank", "1.0.0", 0, "weft.policy.rank"),
        new Policy("split", "even", "1.0.0", 0, "weft.policy.even"));
  }

  @Override
  public String version() {
    return "1.2.3";
  }

  @Override
  public Instant started() {
    return Samples.NOW.minusSeconds(3_725);
  }

  /** One node that may be taken out of use, and one that is down. */
  private static final class FakeResources implements ResourceManager {
    private volatile boolean alphaEligible = true;

    @Override
    public CompletionStage<List<Placement>> place(List<PlacementPolicy.Request> requests) {
      return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public void over(NodeId node, long boot, Collection<AttemptId> attempts) {}

    @Override
    public void withdraw(Collection<AttemptId> attempts) {}

    @Override
    public boolean eligible(NodeId node, boolean eligible) {
      if (!node.equals(Samples.ALPHA)) {
        return false;
      }
      alphaEligible = eligible;
      return true;
    }

    @Override
    public Map<NodeId, Optional<Refusal>> explain(Demand demand) {
      return Map.of(Samples.ALPHA, Optional.empty(), Samples.BETA, Optional.of(Samples.LACKING));
    }

    @Override
    public PoolView view() {
      throw new IllegalStateException("commands do not need the pool");
    }

    @Override
    public List<NodeStatus> nodes() {
      return Samples.nodes(alphaEligible ? NodeStatus.State.READY : NodeStatus.State.INELIGIBLE);
    }

    @Override
    public Map<NodeId, Refusal> neverFits(Demand demand) {
      return Map.of();
    }

    @Override
    public String policy() {
      return "rank 1.0.0";
    }
  }

  private static final class FakeBus implements Bus {
    @Override
    public CompletionStage<Message> request(NodeId to, Message request, Duration deadline) {
      return CompletableFuture.completedFuture(new Message.Done());
    }

    @Override
    public List<Peer> peers() {
      return List.of();
    }

    @Override
    public Optional<Peer> peer(NodeId id) {
      return Optional.empty();
    }

    @Override
    public BusStatus status() {
      return new BusStatus(
          List.of("coap://127.0.0.1:41234"),
          List.of("insecure: 192.168.1.5 is open to everybody"),
          List.of(
              new BusStatus.DiscoveryStatus(
                  "coap",
                  "lo",
                  12,
                  3,
                  1,
                  0,
                  List.of(
                      new BusStatus.Line(
                          Samples.NOW.minusSeconds(2),
                          Discovery.Trace.Kind.DROPPED,
                          "own announcement"),
                      new BusStatus.Line(
                          Samples.NOW.minusSeconds(5),
                          Discovery.Trace.Kind.SENT,
                          "question to 224.0.1.187"))),
              new BusStatus.DiscoveryStatus("mdns", "eth0", 1, 0, 0, 2, List.of())),
          List.of(
              new BusStatus.SightingStatus(
                  "0badcafe",
                  "coap",
                  "127.0.0.1:41235",
                  "peer a1a1a1a1",
                  Samples.NOW.minusSeconds(5))));
    }
  }
}
