package dev.weft.scheduler;

import static dev.weft.scheduler.CoreDriver.MANAGER;
import static dev.weft.scheduler.CoreDriver.NODE;
import static dev.weft.scheduler.CoreDriver.attempt;
import static dev.weft.scheduler.CoreDriver.fault;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.core.bus.Bus;
import dev.weft.core.bus.BusStatus;
import dev.weft.core.bus.Peer;
import dev.weft.core.message.Message;
import dev.weft.core.resources.Authority;
import dev.weft.core.resources.Placement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How resource managers here and elsewhere are spoken to. */
class ManagerCallsTest {
  private static final NodeId REMOTE = CoreDriver.node(91);
  private static final AttemptId FIRST = attempt(1, 0, 1);

  private final FakeResources resources = new FakeResources();
  private final Remote remote = new Remote();
  private final List<SchedulerEvent> events = new ArrayList<>();
  private final ManagerCalls calls = new ManagerCalls(MANAGER, resources, remote, events::add);

  private static List<Request> requests(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Request(attempt(1, i, 1), Specs.of(1).spec().demand()))
        .toList();
  }

  @Test
  void theOneInThisProcessIsCalledDirectly() {
    calls.place(new SchedulerEffect.Place(7, MANAGER, requests(100)));
    SchedulerEvent.Placements answer =
        assertInstanceOf(SchedulerEvent.Placements.class, events.get(0));
    assertEquals(7, answer.question());
    assertEquals(MANAGER, answer.from());
    assertEquals(100, answer.placements().size());
    calls.withdraw(new SchedulerEffect.Withdraw(MANAGER, List.of(FIRST)));
    assertTrue(resources.withdrawn.contains(FIRST));
    calls.over(new SchedulerEffect.Over(MANAGER, NODE, 1, List.of(FIRST)));
    assertTrue(!resources.given.contains(FIRST));
    assertEquals(List.of(), remote.sent);
  }

  @Test
  void anotherOneIsAskedOverTheBus() {
    Placement placed = CoreDriver.placed(FIRST, NODE, 1);
    remote.answer = request -> new Message.Placements(List.of(placed));
    calls.place(new SchedulerEffect.Place(7, REMOTE, requests(1)));
    assertEquals(List.of(new Message.Place(requests(1))), remote.sent);
    assertEquals(List.of(new SchedulerEvent.Placements(7, REMOTE, List.of(placed))), events);
  }

  @Test
  void whatItDoesNotAnswerIsSaid() {
    var silent = fault("peer.silent", true);
    remote.answer = request -> new Message.Failed(silent);
    calls.place(new SchedulerEffect.Place(7, REMOTE, requests(1)));
    assertEquals(List.of(new SchedulerEvent.NotAnswered(7, silent)), events);
    remote.answer = request -> new Message.Done();
    calls.place(new SchedulerEffect.Place(8, REMOTE, requests(1)));
    assertEquals(
        "peer.unreadable",
        assertInstanceOf(SchedulerEvent.NotAnswered.class, events.get(1)).fault().code());
  }

  @Test
  void aGangTooLargeForOneMessageIsRefusedWithTheReason() {
    calls.place(new SchedulerEffect.Place(7, REMOTE, requests(65)));
    SchedulerEvent.Placements answer =
        assertInstanceOf(SchedulerEvent.Placements.class, events.get(0));
    assertEquals(65, answer.placements().size());
    assertEquals(
        "a gang of 65 tasks is too large for a resource manager on another machine; at most 64",
        assertInstanceOf(Placement.NotPlaced.class, answer.placements().get(64))
            .decision()
            .reason());
    assertEquals(List.of(), remote.sent);
  }

  @Test
  void anotherOneIsToldWhatIsOverAndNotWanted() {
    calls.over(new SchedulerEffect.Over(REMOTE, NODE, 3, List.of(FIRST)));
    calls.withdraw(new SchedulerEffect.Withdraw(REMOTE, List.of(FIRST)));
    assertEquals(
        List.of(new Message.Over(NODE, 3, List.of(FIRST)), new Message.Withdraw(List.of(FIRST))),
        remote.sent);
    assertEquals(List.of(), events);
  }

  @Test
  void whoeverIsAskedWhoLeadsIsHeard() {
    Authority authority = new Authority("test", 3);
    remote.answer = request -> new Message.Leading(Optional.of(MANAGER), authority);
    calls.suspect(new SchedulerEffect.Suspect(REMOTE, CoreDriver.OTHER));
    assertEquals(List.of(new Message.Suspect(CoreDriver.OTHER)), remote.sent);
    assertEquals(
        List.of(new SchedulerEvent.Leading(REMOTE, Optional.of(MANAGER), authority)), events);
    remote.answer = request -> new Message.Failed(fault("peer.down", true));
    calls.suspect(new SchedulerEffect.Suspect(REMOTE, CoreDriver.OTHER));
    assertEquals(1, events.size());
  }

  /** A bus to one resource manager. */
  private static final class Remote implements Bus {
    final List<Message> sent = new ArrayList<>();
    Function<Message, Message> answer = request -> new Message.Done();

    @Override
    public CompletionStage<Message> request(NodeId to, Message request, Duration deadline) {
      assertEquals(REMOTE, to);
      sent.add(request);
      return CompletableFuture.completedFuture(answer.apply(request));
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
      return new BusStatus(List.of(), List.of(), List.of(), List.of());
    }
  }
}
