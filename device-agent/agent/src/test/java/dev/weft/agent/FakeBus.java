package dev.weft.agent;

import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import dev.weft.api.bus.Role;
import dev.weft.core.bus.Bus;
import dev.weft.core.bus.BusStatus;
import dev.weft.core.bus.Peer;
import dev.weft.core.message.Message;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A bus with one manager on it, which answers everything. */
final class FakeBus implements Bus {
  static final Peer MANAGER =
      new Peer(
          new NodeId("a".repeat(64)),
          1,
          "host",
          Set.of(Role.MANAGER),
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711),
          "address");

  final LinkedBlockingQueue<Message.Report> reports = new LinkedBlockingQueue<>();
  final LinkedBlockingQueue<Message.AttemptStatus> statuses = new LinkedBlockingQueue<>();

  @Override
  public CompletionStage<Message> request(NodeId to, Message request, Duration deadline) {
    if (request instanceof Message.Report report) {
      reports.add(report);
      return CompletableFuture.completedFuture(
          new Message.Reported(
              AgentCoreDriver.AUTHORITY, report.over(), Message.Correction.NONE, 0, false));
    }
    if (request instanceof Message.Status status) {
      statuses.addAll(status.attempts());
      return CompletableFuture.completedFuture(new Message.StatusReceived(List.of()));
    }
    return CompletableFuture.completedFuture(
        new Message.Failed(
            new Fault("kind.unknown", Fault.Category.INTERNAL, "not expected", false)));
  }

  /** The next report that the test accepts. */
  Message.Report report(Predicate<Message.Report> wanted) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (System.nanoTime() < end) {
      Optional<Message.Report> next =
          Optional.ofNullable(reports.poll(100, TimeUnit.MILLISECONDS)).filter(wanted);
      if (next.isPresent()) {
        return next.get();
      }
    }
    throw new AssertionError("no such report within 10 s");
  }

  /** The next outcome. */
  Message.AttemptStatus outcome() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (System.nanoTime() < end) {
      Optional<Message.AttemptStatus> next =
          Optional.ofNullable(statuses.poll(100, TimeUnit.MILLISECONDS))
              .filter(one -> one.outcome().isPresent());
      if (next.isPresent()) {
        return next.get();
      }
    }
    throw new AssertionError("no outcome within 10 s");
  }

  @Override
  public List<Peer> peers() {
    return List.of(MANAGER);
  }

  @Override
  public Optional<Peer> peer(NodeId id) {
    return Optional.of(MANAGER).filter(peer -> peer.id().equals(id));
  }

  @Override
  public BusStatus status() {
    throw new UnsupportedOperationException("not needed here");
  }
}
