package dev.weft.scheduler;

import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import dev.weft.core.bus.Bus;
import dev.weft.core.message.Message;
import dev.weft.core.resources.Placement;
import dev.weft.core.resources.ResourceManager;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Talks to the resource managers: to the one in this process directly, to others over the bus. What
 * is lost on the way to another one does no harm: it learns from the nodes what is over, and asks
 * about what nobody runs (B7).
 */
final class ManagerCalls {
  /** Longer than T2, so that an answer which comes late is still of use. */
  private static final Duration DEADLINE = Duration.ofSeconds(15);

  private final NodeId self;
  private final ResourceManager local;
  private final Bus bus;
  private final Consumer<SchedulerEvent> post;

  /**
   * For one scheduler.
   *
   * @param self the node whose resource manager is {@code local}
   * @param post takes the answers
   */
  ManagerCalls(NodeId self, ResourceManager local, Bus bus, Consumer<SchedulerEvent> post) {
    this.self = self;
    this.local = local;
    this.bus = bus;
    this.post = post;
  }

  void place(SchedulerEffect.Place place) {
    NodeId manager = place.manager();
    long question = place.question();
    if (manager.equals(self)) {
      local
          .place(place.requests())
          .thenAccept(
              placements ->
                  post.accept(new SchedulerEvent.Placements(question, manager, placements)));
    } else if (place.requests().size() > Message.Place.MAXIMUM_REQUESTS) {
      post.accept(new SchedulerEvent.Placements(question, manager, tooLarge(place)));
    } else {
      bus.request(manager, new Message.Place(place.requests()), DEADLINE)
          .thenAccept(answer -> post.accept(event(question, manager, answer)));
    }
  }

  /** Only a gang is never cut; another resource manager gets it in one message or not at all. */
  private static List<Placement> tooLarge(SchedulerEffect.Place place) {
    Placement.Decision why =
        new Placement.Decision(
            "",
            "a gang of %d tasks is too large for a resource manager on another machine; at most %d"
                .formatted(place.requests().size(), Message.Place.MAXIMUM_REQUESTS),
            Map.of());
    return place.requests().stream()
        .<Placement>map(request -> new Placement.NotPlaced(request.attempt(), why))
        .toList();
  }

  private static SchedulerEvent event(long question, NodeId manager, Message answer) {
    if (answer instanceof Message.Placements placements) {
      return new SchedulerEvent.Placements(question, manager, placements.placements());
    }
    return new SchedulerEvent.NotAnswered(
        question,
        answer instanceof Message.Failed failed
            ? failed.fault()
            : new Fault(
                "peer.unreadable",
                Fault.Category.INTERNAL,
                "the resource manager answered with something else",
                true));
  }

  void over(SchedulerEffect.Over over) {
    if (over.manager().equals(self)) {
      local.over(over.node(), over.boot(), over.attempts());
    } else {
      send(over.manager(), new Message.Over(over.node(), over.boot(), over.attempts()));
    }
  }

  void withdraw(SchedulerEffect.Withdraw withdraw) {
    if (withdraw.manager().equals(self)) {
      local.withdraw(withdraw.attempts());
    } else {
      send(withdraw.manager(), new Message.Withdraw(withdraw.attempts()));
    }
  }

  private void send(NodeId manager, Message message) {
    var sent = bus.request(manager, message, DEADLINE);
    assert sent != null;
  }

  void suspect(SchedulerEffect.Suspect suspect) {
    bus.request(suspect.manager(), new Message.Suspect(suspect.leader()), DEADLINE)
        .thenAccept(
            answer -> {
              if (answer instanceof Message.Leading leading) {
                post.accept(
                    new SchedulerEvent.Leading(
                        suspect.manager(), leading.leader(), leading.authority()));
              }
            });
  }
}
